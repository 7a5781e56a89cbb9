import { decodedUri } from '@tollgate/kit/decoded-uri'
import type { Source } from './part.ts'

const HEAD = /^data:([^;,]*)((?:;[^;,]*)*),/i

/** Parses a `data:` URL into its media type and data; any other URL is kept as it is. */
export function sourceOfUrl(url: string): Source {
  const head = HEAD.exec(url)
  if (head === null) return { type: 'url', url }
  const mediaType = head[1] === '' || head[1] === undefined ? 'text/plain' : head[1].toLowerCase()
  const rest = url.slice(head[0].length)
  const isBase64 = /;base64$/i.test(head[2] ?? '')
  return { type: 'data', mediaType, base64: isBase64 ? rest : base64OfText(decodedUri(rest)) }
}

/** Returns the URL or `data:` URL of a source; `undefined` for a file id, which has none. */
export function urlOfSource(source: Source): string | undefined {
  if (source.type === 'url') return source.url
  return source.type === 'data' ? `data:${source.mediaType};base64,${source.base64}` : undefined
}

export function base64OfText(text: string): string {
  return Buffer.from(text).toString('base64')
}

/** Returns the text of a text document; `undefined` for any other document. */
export function textOfSource(source: Source): string | undefined {
  if (source.type !== 'data' || !source.mediaType.startsWith('text/')) return undefined
  return Buffer.from(source.base64, 'base64').toString()
}
