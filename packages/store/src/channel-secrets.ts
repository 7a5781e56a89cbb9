import type { Cipher } from '@tollgate/kit/cipher'

/**
 * Texts of a channel that may carry credentials: header values, the name and password of a proxy, tokens in an override.
 * Their columns hold them encrypted, and '' where there is none.
 */
export const channelSecretColumns = ['header_override', 'param_override', 'setting'] as const
export type ChannelSecretColumn = (typeof channelSecretColumns)[number]
export type ChannelSecrets = Readonly<Record<ChannelSecretColumn, string>>

/** What `Seal` writes. Before schema 18 these columns held JSON, which never looks like it. */
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
 * In clear. A row that a process of an older version wrote during an upgrade is read as it stands. Throws when a text was
 * encrypted with another key.
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
