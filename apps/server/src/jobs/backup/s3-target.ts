import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { JobFailure } from '../job.ts'
import type { S3Store } from '../s3/s3-store.ts'
import type { BackupTarget } from './target.ts'

/** The limit of S3 for an object that is sent in one piece. */
const BYTES_MAX = 5 * 1024 ** 3
/** Only our own names are read from a list, so that nothing else can be removed. */
const COPY_KEY = /<Key>(?:[^<]*\/)?(tollgate-\d{8}T\d{6}Z\.db)<\/Key>/g

export function s3Target(store: S3Store): BackupTarget {
  const list = async (): Promise<readonly string[]> => {
    const page = await store.list('tollgate-')
    return [...page.matchAll(COPY_KEY)].map(([, name = '']) => name)
  }
  return {
    check: async () => void (await list()),
    put: async (name, path, signal) => {
      const { size: bytes } = await stat(path)
      if (bytes > BYTES_MAX)
        throw new JobFailure({
          en: 'The copy is larger than 5 GiB, which S3 does not take in one piece: use a folder.',
          zh: '备份超过 5 GiB，无法一次上传到 S3，请使用文件夹。',
        })
      await store.put(name, { body: () => createReadStream(path), bytes, hash: await hashOf(path), signal })
    },
    list,
    remove: (name) => store.remove(name),
  }
}

async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  return hash.digest('hex')
}
