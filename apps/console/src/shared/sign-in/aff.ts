import { readText, storageKeys, writeText } from '../session/storage.ts'

const CODE = /^[\w-]{1,64}$/

/**
 * The invitation code from the link that the visitor followed. It is kept until the visitor registers, with a
 * password or through any sign-in provider.
 */
export function rememberedAff(): string {
  const kept = readText(storageKeys.aff) ?? ''
  return CODE.test(kept) ? kept : ''
}

export function rememberAff(code: string): void {
  if (CODE.test(code)) writeText(storageKeys.aff, code)
}
