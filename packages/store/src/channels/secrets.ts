import type { Cipher } from '@tollgate/kit/cipher'

/**
 * Channel columns that may contain credentials: header values, the user name and password of a proxy, tokens
 * in an override. They hold encrypted text, or '' when there is none.
 */
export const channelSecretColumns = ['header_override', 'param_override', 'setting'] as const
export type ChannelSecretColumn = (typeof channelSecretColumns)[number]
export type ChannelSecrets = Readonly<Record<ChannelSecretColumn, string>>

/** The format of encrypted text. Before schema 18 these columns held JSON, which never has this form. */
const ENCRYPTED = /^v1\.[A-Za-z0-9_-]{38,}$/

export function isEncryptedText(stored: string): boolean {
  return ENCRYPTED.test(stored)
}

export function encryptChannelSecrets<Texts extends Partial<ChannelSecrets>>(
  texts: Texts,
  { id, cipher }: { readonly id: number; readonly cipher: Pick<Cipher, 'encrypt'> },
): Texts {
  const encrypted: Partial<Record<ChannelSecretColumn, string>> = {}
  for (const column of channelSecretColumns) {
    const text = texts[column]
    if (text !== undefined) encrypted[column] = text === '' ? '' : cipher.encrypt(text, contextOf(id, column))
  }
  return { ...texts, ...encrypted }
}

/**
 * Returns the decrypted texts. A clear text, written by a process of an older version during an upgrade, is
 * returned as it is. Throws when a text was encrypted with another key.
 */
export function decryptChannelSecrets(
  row: ChannelSecrets & { readonly id: number },
  cipher: Pick<Cipher, 'decrypt'>,
): ChannelSecrets {
  const read = (column: ChannelSecretColumn): string =>
    isEncryptedText(row[column]) ? cipher.decrypt(row[column], contextOf(row.id, column)) : row[column]
  return {
    header_override: read('header_override'),
    param_override: read('param_override'),
    setting: read('setting'),
  }
}

function contextOf(id: number, column: ChannelSecretColumn): string {
  return `channel:${id}:${column}`
}
