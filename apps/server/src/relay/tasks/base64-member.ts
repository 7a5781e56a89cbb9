import { problem } from '@tollgate/problems/problem'

/** If the member has not begun within this many characters, the search is given up. */
const HEAD_CHARACTERS_MAX = 64 * 1024
/** Length of the longest notation of one character: `\u003d`. */
const ESCAPE_CHARACTERS = 6

/**
 * Decodes the base64 text of a named member of a JSON response while it arrives, because the result may be
 * too large for memory. Rejects with `task_content_unavailable` when the member is missing or incomplete.
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

/**
 * Splits off whole groups of four characters, which are three bytes; an escape sequence may be cut at the end
 * of the text.
 */
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
