const HEAD_END = Buffer.from('\r\n\r\n')
const LAST_CHUNK = Buffer.from('0\r\n\r\n')
const CONTENT_LENGTH = /\r\ncontent-length: *(\d+)/i

export interface AnswerSeen {
  readonly status: number
}

/** Reports when the one response expected on a connection is complete. Of the body only the end is kept. */
export function splitAnswers(): (chunk: Buffer) => AnswerSeen | undefined {
  let head = Buffer.alloc(0)
  let left: number | undefined
  let tail = Buffer.alloc(0)
  let status = 0

  function reset(): AnswerSeen {
    const seen = { status }
    head = Buffer.alloc(0)
    tail = Buffer.alloc(0)
    left = undefined
    return seen
  }

  function takeBody(bytes: Buffer): AnswerSeen | undefined {
    if (left !== undefined) {
      left -= bytes.length
      return left <= 0 ? reset() : undefined
    }
    tail = Buffer.concat([tail, bytes]).subarray(-LAST_CHUNK.length)
    return tail.equals(LAST_CHUNK) ? reset() : undefined
  }

  return (chunk) => {
    if (status !== 0 && head.length === 0) status = 0
    if (status !== 0) return takeBody(chunk)
    head = Buffer.concat([head, chunk])
    const end = head.indexOf(HEAD_END)
    if (end < 0) return undefined
    const text = head.toString('latin1', 0, end)
    status = Number(text.slice(9, 12))
    const length = CONTENT_LENGTH.exec(text)?.[1]
    left = length === undefined ? undefined : Number(length)
    return takeBody(head.subarray(end + HEAD_END.length))
  }
}
