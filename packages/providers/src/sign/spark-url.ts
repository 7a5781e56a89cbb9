import { hmac } from './digest.ts'

export interface SparkUrlInput {
  /** Defaults to `wss:`; tests without TLS set another one. */
  readonly protocol?: string
  readonly host: string
  /** A path such as `/v3.5/chat`. */
  readonly path: string
  readonly apiKey: string
  readonly apiSecret: string
  readonly nowMs: number
}

/**
 * Returns the signed WebSocket URL of one Spark call.
 * https://www.xfyun.cn/doc/spark/general_url_authentication.html
 */
export function sparkUrl({ protocol = 'wss:', host, path, apiKey, apiSecret, nowMs }: SparkUrlInput): string {
  const date = new Date(nowMs).toUTCString()
  const signature = hmac(apiSecret, `host: ${host}\ndate: ${date}\nGET ${path} HTTP/1.1`).toString('base64')
  const authorization = Buffer.from(
    `hmac username="${apiKey}", algorithm="hmac-sha256", headers="host date request-line", signature="${signature}"`,
  ).toString('base64')
  return `${protocol}//${host}${path}?${new URLSearchParams({ host, date, authorization }).toString()}`
}
