import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { JobFailure } from '../job.ts'
import { PassingFailure, errorCode } from './s3-errors.ts'
import { type S3Answer, type S3Body, type S3Request, readText } from './s3-request.ts'

/** A file that is sent in parts, each of them read from the disk while it is sent. */
export interface LargeFile {
  readonly path: string
  /** SHA-256 of the whole file in hexadecimal. */
  readonly hash: string
  /** In order; together they are the file. */
  readonly parts: readonly FilePart[]
  readonly signal: AbortSignal
  /** Pauses before a part that failed is sent again; none: {@link PAUSES_MS}. */
  readonly pausesMs?: readonly number[]
}

export interface FilePart {
  readonly start: number
  readonly bytes: number
  readonly hash: string
}

interface Upload {
  readonly send: (request: S3Request) => Promise<S3Answer>
  /** Of the object, percent-encoded. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly file: LargeFile
}

const CLEAN_UP_MS = 30_000
/** A store that asks for less is quiet for some seconds; a restart of one takes half a minute. */
const PAUSES_MS = [1_000, 4_000, 16_000, 30_000]
/** S3 allows this many parts. */
export const PARTS_MAX = 10_000

/** Nothing of a failed upload stays in the bucket: parts that were sent would be paid for and never listed. */
export async function uploadParts(upload: Upload): Promise<void> {
  const { send, path, headers, file } = upload
  const { signal } = file
  const begun = await send({ method: 'POST', target: `${path}?uploads`, headers, signal })
  const [, id] = /<UploadId>([^<]{1,2048})<\/UploadId>/.exec(await readText(begun.body)) ?? []
  if (id === undefined) throw withoutParts('no UploadId')
  const query = `uploadId=${encodeURIComponent(unescaped(id))}`
  try {
    const tags: string[] = []
    for (const [index, part] of file.parts.entries()) {
      const target = `${path}?partNumber=${index + 1}&${query}`
      tags.push(await sendPart(upload, { target, part }))
    }
    const sent = textBody(listOf(tags))
    const ended = await readText(
      (await send({ method: 'POST', target: `${path}?${query}`, sent, signal })).body,
    )
    // The store answers 200 before it has put the parts together, so that a failure is in the text.
    const code = errorCode(ended)
    if (code !== undefined) throw withoutParts(code)
  } catch (error) {
    await send({ method: 'DELETE', target: `${path}?${query}`, signal: AbortSignal.timeout(CLEAN_UP_MS) })
      .then(({ body }) => readText(body))
      .catch(() => undefined)
    throw error
  }
}

/** Sends a part, a few times where the failure may pass, and returns its tag. */
async function sendPart(
  { send, file }: Upload,
  { target, part }: { readonly target: string; readonly part: FilePart },
): Promise<string> {
  const { path, signal, pausesMs = PAUSES_MS } = file
  for (const pauseMs of [...pausesMs, undefined]) {
    try {
      const { body, headers } = await send({ method: 'PUT', target, sent: bodyOf(path, part), signal })
      await readText(body)
      return String(headers['etag'])
    } catch (error) {
      if (pauseMs === undefined || signal.aborted || !(error instanceof PassingFailure)) throw error
      await sleep(pauseMs, undefined, { signal })
    }
  }
  throw new Error('the last attempt returns or throws')
}

/** Reads the file once, in chunks. */
export async function describeParts(
  path: string,
  partBytes: number,
): Promise<Pick<LargeFile, 'hash' | 'parts'>> {
  const whole = createHash('sha256')
  const parts: FilePart[] = []
  let part = { start: 0, bytes: 0, hash: createHash('sha256') }
  const endPart = (): void => {
    parts.push({ start: part.start, bytes: part.bytes, hash: part.hash.digest('hex') })
    part = { start: part.start + part.bytes, bytes: 0, hash: createHash('sha256') }
  }
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    whole.update(chunk)
    for (let from = 0; from < chunk.length;) {
      const piece = chunk.subarray(from, from + partBytes - part.bytes)
      part.hash.update(piece)
      part.bytes += piece.length
      from += piece.length
      if (part.bytes === partBytes) endPart()
    }
  }
  if (part.bytes > 0 || parts.length === 0) endPart()
  return { hash: whole.digest('hex'), parts }
}

function bodyOf(path: string, { start, bytes, hash }: FilePart): S3Body {
  return { body: () => createReadStream(path, { start, end: start + bytes - 1 }), bytes, hash }
}

function textBody(text: string): S3Body {
  const body = Buffer.from(text)
  return { body: () => body, bytes: body.length, hash: createHash('sha256').update(body).digest('hex') }
}

function listOf(tags: readonly string[]): string {
  const parts = tags.map(
    (tag, index) => `<Part><PartNumber>${index + 1}</PartNumber><ETag>${tag}</ETag></Part>`,
  )
  return `<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`
}

/** Of XML; ids of stores have no other escapes. */
function unescaped(text: string): string {
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')
}

function withoutParts(code: string): JobFailure {
  return new JobFailure({
    en: `The S3 store could not put the parts of the copy together (${code}): try again, or use a folder.`,
    zh: `S3 存储无法合并备份的各个分段（${code}）：请重试，或改用文件夹。`,
  })
}
