const HEAD_END = Buffer.from('\r\n\r\n')
const CONTENT_LENGTH = /\r\ncontent-length: *(\d+)/i
const CHUNKED = /\r\ntransfer-encoding: *chunked/i
const LAST_CHUNK = Buffer.from('0\r\n\r\n')

/**
 * Counts the requests that each chunk completes on a connection. It supports just enough HTTP for our own
 * clients.
 */
export function splitRequests(): (chunk: Buffer) => number {
  let pending = Buffer.alloc(0)
  return (chunk) => {
    pending = pending.length === 0 ? Buffer.from(chunk) : Buffer.concat([pending, chunk])
    let requests = 0
    for (let end = endOfRequest(pending); end !== undefined; end = endOfRequest(pending)) {
      pending = pending.subarray(end)
      requests += 1
    }
    return requests
  }
}

function endOfRequest(bytes: Buffer): number | undefined {
  const headEnd = bytes.indexOf(HEAD_END)
  if (headEnd < 0) return undefined
  const head = bytes.toString('latin1', 0, headEnd)
  const bodyStart = headEnd + HEAD_END.length
  if (CHUNKED.test(head)) {
    const last = bytes.indexOf(LAST_CHUNK, bodyStart)
    return last < 0 ? undefined : last + LAST_CHUNK.length
  }
  const end = bodyStart + Number(CONTENT_LENGTH.exec(head)?.[1] ?? 0)
  return bytes.length >= end ? end : undefined
}
