import { problem } from '@tollgate/kit/problem'

/** A member that is not there by then is looked for no longer. */
const HEAD_CHARACTERS_MAX = 64 * 1024
/** The longest way to write one character: `\u003d`. */
const ESCAPE_CHARACTERS = 6

/**
 * The bytes of the base64 text that a JSON answer has under a name, decoded as they come: what was made may be too large
 * to be held here. Rejects with `task_content_unavailable` when there is no such text, or no end of it.
 */
export async function* bytesOfMember(source: AsyncIterable<Buffer>, name: string): AsyncGenerator<Buffer> {
  const start = new RegExp(`"${name}"\\s*:\\s*"`)
  let text = ''
  let isInside = false
  for await (const piece of source) {
    text += piece.toString('latin1')
    if (!isInside) {
      const found = start.exec(text)
      if (found === null && text.length > HEAD_CHARACTERS_MAX) break
      if (found === null) continue
      isInside = true
      text = text.slice(found.index + found[0].length)
    }
    const end = text.indexOf('"')
    if (end >= 0) {
      yield Buffer.from(plain(text.slice(0, end)), 'base64')
      return
    }
    const { ready, rest } = wholeGroups(text)
    if (ready !== '') yield Buffer.from(ready, 'base64')
    text = rest
  }
  throw problem('task_content_unavailable')
}

/** Four characters are three bytes, and an escape may be cut. */
function wholeGroups(text: string): { readonly ready: string; readonly rest: string } {
  const escape = text.indexOf('\\', Math.max(0, text.length - ESCAPE_CHARACTERS))
  const settled = plain(escape < 0 ? text : text.slice(0, escape))
  const length = settled.length - (settled.length % 4)
  return {
    ready: settled.slice(0, length),
    rest: settled.slice(length) + (escape < 0 ? '' : text.slice(escape)),
  }
}

function plain(text: string): string {
  return text.replace(/\\u003d/gi, '=').replace(/[^\w+/=-]/g, '')
}
