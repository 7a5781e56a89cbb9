import { readText, storageKeys, writeText } from '../session/storage.ts'

const CODE = /^[\w-]{1,64}$/

/** The code of who invited this visitor, from the link they came by; kept until they register, by whichever door. */
export function rememberedAff(): string {
  const kept = readText(storageKeys.aff) ?? ''
  return CODE.test(kept) ? kept : ''
}

export function rememberAff(code: string): void {
  if (CODE.test(code)) writeText(storageKeys.aff, code)
}
