import { problem } from '@tollgate/problems/problem'
import type { Credentials, HeaderWriter } from '../provider.ts'
import { readZhipuKey } from '../sign/zhipu-jwt.ts'

/** Characters that a key may contain to be sent in a header. */
const PRINTABLE = /^[\x21-\x7e]+$/

/** A single key of any shape. */
export const apiKey: Credentials = keyLike('sk-…')

/** A single key; `hint` is the example that the form shows. */
export function keyLike(hint: string): Credentials {
  return { hint, check: (key) => requireRight(PRINTABLE.test(key), hint) }
}

/** For self-hosted upstreams: any key, or an empty one. */
export const optionalKey: Credentials = {
  hint: 'any',
  check: (key) => requireRight(key.trim() === '' || PRINTABLE.test(key), 'any'),
}

/**
 * A key of parts joined by `|`, whose number is one of `counts`: `keyParts('token|appid', 1, 2)`. No part may be
 * empty.
 */
export function keyParts(hint: string, ...counts: readonly number[]): Credentials {
  return {
    hint,
    check: (key) => {
      const parts = key.split('|')
      requireRight(counts.includes(parts.length) && parts.every((part) => PRINTABLE.test(part)), hint)
    },
  }
}

/** An id and a secret, joined by a dot. */
export const zhipuKey: Credentials = {
  hint: 'id.secret',
  check: (key) => requireRight(PRINTABLE.test(key) && readZhipuKey(key) !== undefined, 'id.secret'),
}

/** Returns one part of a composite key, counted from 0; an empty text when the key has fewer parts. */
export function keyPart(key: string, index: number): string {
  return key.split('|')[index] ?? ''
}

function requireRight(isRight: boolean, hint: string): void {
  if (!isRight) throw problem('channel_key_invalid', { hint })
}

/** Sends `Authorization: Bearer <key>`, and the further headers that the vendor requires. */
export function bearer(more?: HeaderWriter): HeaderWriter {
  return (upstream, outgoing) => {
    const authorization = `Bearer ${upstream.key}`
    return more === undefined ? { authorization } : { authorization, ...more(upstream, outgoing) }
  }
}
