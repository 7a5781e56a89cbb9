import { Problem } from '@tollgate/problems/problem'
import { JobFailure } from '../job.ts'

/** A failure that may be over a moment later. */
export class PassingFailure extends JobFailure {}

/** S3 asks to try these again; all others of status 4xx stay as they are. */
const PASSING_CODES = ['RequestTimeout', 'SlowDown']

export function withoutBucket(): JobFailure {
  return new JobFailure({
    en: 'The S3 address names no bucket: it is the first part of the path.',
    zh: 'S3 地址中没有存储桶：路径的第一部分应为存储桶名称。',
  })
}

/** `code` is what S3 calls the error, for example `NoSuchBucket`; other text of the answer is not shown. */
export function refused(status: number, text: string): JobFailure {
  const code = errorCode(text) ?? 'no code'
  const isPassing = status >= 500 || status === 429 || PASSING_CODES.includes(code)
  return new (isPassing ? PassingFailure : JobFailure)({
    en: `The S3 store answered ${status} (${code}): check the address, the region, the key and its secret.`,
    zh: `S3 存储返回 ${status}（${code}）：请检查地址、区域和访问密钥。`,
  })
}

export function unreachable(origin: string, cause: unknown): JobFailure {
  const isRefused = cause instanceof Problem && cause.code === 'destination_refused'
  const words = isRefused
    ? {
        en: `The S3 store at ${origin} has a private address: add it to EGRESS_ALLOW.`,
        zh: `${origin} 的 S3 存储使用内网地址：请将其加入 EGRESS_ALLOW。`,
      }
    : {
        en: `The S3 store at ${origin} cannot be reached: check the address.`,
        zh: `无法连接 ${origin} 的 S3 存储：请检查地址。`,
      }
  return new (isRefused ? JobFailure : PassingFailure)(words, { cause })
}

export function errorCode(text: string): string | undefined {
  return /<Code>(\w{1,64})<\/Code>/.exec(text)?.[1]
}

/** The connection ended in the middle of a message. */
export function brokenOff(cause: unknown): JobFailure {
  return new PassingFailure(
    {
      en: 'The connection to the S3 store broke off: try again.',
      zh: '与 S3 存储的连接中断，请重试。',
    },
    { cause },
  )
}
