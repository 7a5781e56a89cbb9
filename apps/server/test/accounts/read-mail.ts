/** A mail as the recipient sees it. */
export interface ReadMail {
  /** Header names in lower case, folded lines unfolded. */
  readonly headers: ReadonlyMap<string, string>
  readonly subject: string
  readonly text: string
  readonly html: string
}

export function readMail(raw: string): ReadMail {
  const { headers, body } = part(raw)
  const boundary = /boundary="([^"]+)"/.exec(headers.get('content-type') ?? '')?.[1]
  const parts = boundary === undefined ? [{ headers, body }] : split(body, boundary).map(part)
  const bodyOf = (type: string) => parts.find((one) => one.headers.get('content-type')?.startsWith(type))
  return {
    headers,
    subject: decodeWords(headers.get('subject') ?? ''),
    text: decode(bodyOf('text/plain')),
    html: decode(bodyOf('text/html')),
  }
}

interface Part {
  readonly headers: ReadonlyMap<string, string>
  readonly body: string
}

function part(raw: string): Part {
  const end = raw.indexOf('\r\n\r\n')
  const lines = raw
    .slice(0, end)
    .replace(/\r\n[ \t]+/g, ' ')
    .split('\r\n')
  const headers = new Map(
    lines.map((line) => [
      line.slice(0, line.indexOf(':')).toLowerCase(),
      line.slice(line.indexOf(':') + 1).trim(),
    ]),
  )
  return { headers, body: raw.slice(end + 4) }
}

function split(body: string, boundary: string): string[] {
  return body
    .split(`--${boundary}`)
    .slice(1, -1)
    .map((text) => text.replace(/^\r\n/, ''))
}

function decode(one: Part | undefined): string {
  if (!one) return ''
  const encoding = one.headers.get('content-transfer-encoding') ?? '7bit'
  if (encoding === 'base64') return Buffer.from(one.body, 'base64').toString('utf8')
  if (encoding !== 'quoted-printable') return one.body
  return fromQuoted(one.body.replace(/=\r\n/g, ''))
}

function decodeWords(text: string): string {
  return text
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(/=\?UTF-8\?([BQ])\?([^?]*)\?=/gi, (_whole, kind: string, word: string) =>
      kind.toUpperCase() === 'B'
        ? Buffer.from(word, 'base64').toString('utf8')
        : fromQuoted(word.replaceAll('_', ' ')),
    )
}

function fromQuoted(text: string): string {
  const bytes = text.replace(/=([0-9A-F]{2})/gi, (_whole, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  )
  return Buffer.from(bytes, 'latin1').toString('utf8')
}
