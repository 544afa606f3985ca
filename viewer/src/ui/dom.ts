/** Elements in one expression. */

type Child = Node | string;

export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Record<string, string | boolean | ((event: any) => void)> = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") node.addEventListener(name, value);
    else if (value === true) node.setAttribute(name, "");
    else if (value !== false) node.setAttribute(name, value);
  }
  node.append(...children);
  return node;
}

/** A button with an accessible name, which is its hint, too. */
export function button(name: string, face: string, pressed: () => void): HTMLButtonElement {
  return element("button", { type: "button", "aria-label": name, title: name, click: pressed }, face);
}

/** A menu with a name that is read aloud. */
export function menu(name: string, options: [string, string][], chosen: (value: string) => void): HTMLSelectElement {
  const items = options.map(([value, text]) => element("option", { value }, text));
  const select = element("select", { "aria-label": name, title: name, change: () => chosen(select.value) }, ...items);
  return select;
}
