import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { OWNER_FILE, readOwnerText, writeOwnerText } from './claim-target.ts'
import type { S3Store } from '../s3/s3-store.ts'
import { PARTS_MAX, describeParts } from '../s3/s3-upload.ts'
import type { BackupTarget } from './target.ts'

/** Larger copies are sent in parts. S3 takes up to 5 GiB in one request; parts bound what a broken one costs. */
const PART_BYTES = 64 * 1024 ** 2
/** Only our own names are read from a list, so that nothing else can be removed. */
const COPY_KEY = /<Key>(?:[^<]*\/)?(tollgate-\d{8}T\d{6}Z\.db)<\/Key>/g

interface Options {
  /** S3 requires 5 MiB at least. */
  readonly partBytes?: number
  /** Pauses before a part that failed is sent again. */
  readonly pausesMs?: readonly number[]
}

export function s3Target(store: S3Store, { partBytes = PART_BYTES, pausesMs }: Options = {}): BackupTarget {
  const list = () => listCopies(store)
  return {
    name: store.origin,
    readOwner: async () => {
      const file = await store.getText(OWNER_FILE)
      return file === undefined ? undefined : { owner: readOwnerText(file.text), version: file.version }
    },
    writeOwner: (owner, expected) => store.swapText(OWNER_FILE, { text: writeOwnerText(owner), expected }),
    check: async () => void (await list()),
    put: async (name, path, signal) => {
      const { size: bytes } = await stat(path)
      const { hash, parts } = await describeParts(path, Math.max(partBytes, Math.ceil(bytes / PARTS_MAX)))
      if (parts.length > 1) return store.putLarge(name, { path, hash, parts, signal, pausesMs })
      return store.put(name, { body: () => createReadStream(path), bytes, hash, signal })
    },
    list,
    remove: (name) => store.remove(name),
  }
}

export async function listCopies(store: Pick<S3Store, 'list'>): Promise<readonly string[]> {
  const page = await store.list('tollgate-')
  return [...page.matchAll(COPY_KEY)].map(([, name = '']) => name)
}
