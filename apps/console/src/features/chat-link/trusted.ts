import * as z from 'zod/mini'
import { readJson, storageKeys, writeJson } from '../../shared/session/storage.ts'

const schema = z.catch(z.array(z.string()), [])

/** Whether the reader has agreed, in this browser, to give a key to exactly this link template. */
export function isTrusted(template: string): boolean {
  return schema.parse(readJson(storageKeys.trustedChatLinks)).includes(template)
}

export function trust(template: string): void {
  writeJson(storageKeys.trustedChatLinks, [
    ...new Set([...schema.parse(readJson(storageKeys.trustedChatLinks)), template]),
  ])
}
