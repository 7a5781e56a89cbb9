import { decodedUri } from '@tollgate/kit/decoded-uri'

/** Headers of one part of a form. */
export interface PartHead {
  readonly name: string
  readonly fileName: string | undefined
  readonly type: string | undefined
}

const BOUNDARY = /^[0-9A-Za-z'()+_,./:=? -]{1,70}$/

/** The boundary of a `multipart/form-data` content type; `undefined` for any other type. */
export function boundaryOf(contentType: string): string | undefined {
  if (!/^\s*multipart\/form-data\s*(?:;|$)/i.test(contentType)) return undefined
  const boundary = parameter(contentType, 'boundary')
  return boundary !== undefined && BOUNDARY.test(boundary) && !boundary.endsWith(' ') ? boundary : undefined
}

/** Returns `undefined` if the headers name no part, or name it twice. */
export function headersOf(text: string): PartHead | undefined {
  let disposition: string | undefined
  let type: string | undefined
  for (const line of text.split('\r\n')) {
    const colon = line.indexOf(':')
    const name = line.slice(0, Math.max(colon, 0)).trim().toLowerCase()
    const value = line.slice(colon + 1).trim()
    if (name === 'content-disposition') {
      if (disposition !== undefined) return undefined
      disposition = value
    } else if (name === 'content-type') {
      type = value
    } else if (name === 'content-transfer-encoding' && !/^(?:binary|[78]bit)$/i.test(value)) {
      return undefined
    }
  }
  if (disposition === undefined || !/^form-data\s*;/i.test(disposition)) return undefined
  const name = parameter(disposition, 'name')
  if (name === undefined || name === '') return undefined
  return { name, fileName: fileNameOf(disposition), type: isPrintable(type) ? type : undefined }
}

function fileNameOf(disposition: string): string | undefined {
  const plain = parameter(disposition, 'filename')
  if (plain !== undefined) return plain
  const extended = parameter(disposition, 'filename*')
  return extended === undefined ? undefined : decodedUri(extended.replace(/^[^']*'[^']*'/, ''))
}

/** Reads a header parameter, given as a token or in quotes. */
function parameter(header: string, wanted: string): string | undefined {
  const pattern = /;\s*([^\s=;"]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;"]*))/g
  for (const [, name = '', quoted, bare] of header.matchAll(pattern)) {
    if (name.toLowerCase() === wanted) return quoted?.replace(/\\(["\\])/g, '$1') ?? bare
  }
  return undefined
}

function isPrintable(text: string | undefined): boolean {
  return text !== undefined && /^[\x20-\x7e]{1,256}$/.test(text)
}
