import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import type { S3Store } from '../s3/s3-store.ts'
import { type LogSink, rowText } from './sink.ts'

/** Objects such as `2026/11/24/1001-1500.jsonl.gz`: the day of the first row, and the ids of the first and the last. */
export function s3Sink(store: S3Store): LogSink {
  return {
    send: async (rows, signal) => {
      const [first, last] = [rows[0], rows.at(-1)]
      if (!first || !last) return
      const day = new Date(first.created_at * 1000).toISOString().slice(0, 10).replaceAll('-', '/')
      const body = gzipSync(rows.map((row) => `${rowText(row)}\n`).join(''))
      const hash = createHash('sha256').update(body).digest('hex')
      const name = `${day}/${first.id}-${last.id}.jsonl.gz`
      await store.put(name, { body: () => body, bytes: body.length, hash, signal })
    },
  }
}
