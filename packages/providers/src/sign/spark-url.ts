import { hmac } from './digest.ts'

export interface SparkUrlInput {
  /** `wss:`; a test without TLS has another. */
  readonly protocol?: string
  readonly host: string
  /** `/v3.5/chat` */
  readonly path: string
  readonly apiKey: string
  readonly apiSecret: string
  readonly nowMs: number
}

/** The signed WebSocket address of one Spark call. https://www.xfyun.cn/doc/spark/general_url_authentication.html */
export function sparkUrl({ protocol = 'wss:', host, path, apiKey, apiSecret, nowMs }: SparkUrlInput): string {
  const date = new Date(nowMs).toUTCString()
  const signature = hmac(apiSecret, `host: ${host}\ndate: ${date}\nGET ${path} HTTP/1.1`).toString('base64')
  const authorization = Buffer.from(
    `hmac username="${apiKey}", algorithm="hmac-sha256", headers="host date request-line", signature="${signature}"`,
  ).toString('base64')
  return `${protocol}//${host}${path}?${new URLSearchParams({ host, date, authorization }).toString()}`
}
