/** What the server that the page came from says of a run that goes on. */

export interface State {
  live: boolean;
  /** Number of the run: another one is another model. */
  run: number;
  time_s: number;
  ended: boolean;
  /** Why no other run could start. */
  message: string | null;
}

/** None of a page that is a file, or whose server has gone. */
export async function state(): Promise<State | null> {
  if (!location.protocol.startsWith("http")) return null;
  try {
    const answer = await fetch("state");
    return answer.ok ? await answer.json() : null;
  } catch {
    return null;
  }
}

/** Is there something new to fetch? A run that has ended is fetched once more, with all that it has. */
export function isNew(last: State | null, now: State): boolean {
  return last === null || now.run !== last.run || now.time_s !== last.time_s || now.ended !== last.ended;
}
