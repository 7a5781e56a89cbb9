import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { openEgress } from '@tollgate/egress/open-egress'
import type { BucketAccess } from '../../config/index.ts'
import { listCopies } from '../../jobs/backup/s3-target.ts'
import { JobFailure } from '../../jobs/job.ts'
import { type Received, type S3Store, openS3Store } from '../../jobs/s3/s3-store.ts'
import { CommandError } from '../command.ts'
import type { Progress } from '../progress.ts'

export interface FetchRequest {
  /** Address of a copy in a bucket, or of a folder with a slash at the end, whose newest copy is taken. */
  readonly from: string
  readonly to: string
  readonly access: BucketAccess
  readonly progress: Progress
}

const OWNER_ONLY = 0o600

/** Gets a backup out of a bucket and compares its checksum. Resolves to the address of the copy. */
export async function fetchBackup({ from, to, access, progress }: FetchRequest): Promise<string> {
  const { folder, name: wanted, host } = parse(from)
  if (access.accessKey === '' || access.secret === '')
    throw new CommandError('Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY to open the bucket.')
  // The operator named the host on the command line, so that it may be a private one.
  const egress = openEgress({ allowedAddresses: [host] })
  const store = openS3Store({ address: folder, ...access }, egress)
  try {
    const name = wanted === '' ? await newest(store, from) : wanted
    await receive(await store.get(name, new AbortController().signal), { name, to, progress })
    return `${folder}/${name}`
  } catch (error) {
    throw error instanceof JobFailure ? new CommandError(error.message, { cause: error }) : error
  } finally {
    await egress.close()
  }
}

function parse(from: string) {
  const url = URL.canParse(from) ? new URL(from) : undefined
  if (!url || url.search !== '' || url.username !== '' || url.pathname.lastIndexOf('/') === 0)
    throw new CommandError(
      `${from} is no address of a backup in a bucket: it has the form https://server/bucket/folder/name.db.`,
    )
  const cut = url.href.lastIndexOf('/')
  const port = url.port || (url.protocol === 'https:' ? '443' : '80')
  return { folder: url.href.slice(0, cut), name: url.href.slice(cut + 1), host: `${url.hostname}:${port}` }
}

async function newest(store: S3Store, from: string): Promise<string> {
  const name = (await listCopies(store)).toSorted().at(-1)
  if (name === undefined) throw new CommandError(`There is no copy named tollgate-<time>.db at ${from}.`)
  return name
}

interface Receiving {
  readonly name: string
  readonly to: string
  readonly progress: Progress
}

async function receive({ body, bytes, hash }: Received, { name, to, progress }: Receiving): Promise<void> {
  const actual = createHash('sha256')
  progress.start('KiB', Math.ceil((bytes ?? 0) / 1024))
  const measure = async function* (chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) {
      actual.update(chunk)
      progress.advance(chunk.length / 1024)
      yield chunk
    }
  }
  try {
    await pipeline(body, measure, createWriteStream(to, { mode: OWNER_ONLY }))
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new CommandError(`${name} could not be fetched as a whole: ${why}.`, { cause })
  } finally {
    progress.end()
  }
  if (hash !== undefined && hash !== actual.digest('hex'))
    throw new CommandError(`${name} is damaged: its checksum is not that of the copy that was made.`)
}
