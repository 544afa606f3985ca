import { readFileSync } from "node:fs";
import { defineConfig, type Plugin } from "vite";
import { viteSingleFile } from "vite-plugin-singlefile";

/** The licences of what the page is built from, which copies must carry. */
function licences(): Plugin {
  return {
    name: "licences",
    transformIndexHtml: {
      order: "post",
      handler(html) {
        const texts = ["three", "uplot"].map((name) => {
          const text = readFileSync(new URL(`node_modules/${name}/LICENSE`, import.meta.url), "utf8");
          return `${name}\n\n${text.trim().replaceAll("--", "- -")}`;
        });
        return html.replace("<head>", `<head>\n<!-- This page contains:\n\n${texts.join("\n\n")}\n-->`);
      },
    },
  };
}

export default defineConfig({
  plugins: [viteSingleFile({ removeViteModuleLoader: true }), licences()],
  build: { target: "es2022", assetsInlineLimit: 1e8, modulePreload: { polyfill: false }, reportCompressedSize: false },
});
