/** Payloads of the `data:` lines of a stream, in order, including `[DONE]`. */
export function sseFrames(stream: string | Buffer): string[] {
  return stream
    .toString()
    .split(/\r?\n/)
    .filter((line) => line.startsWith('data:'))
    .map((line) => line.slice('data:'.length).trimStart())
}
