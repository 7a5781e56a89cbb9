import { signHs256 } from './jwt.ts'

const LIFETIME_MS = 24 * 60 * 60 * 1000

export interface ZhipuKey {
  readonly id: string
  readonly secret: string
}

/** Parses `id.secret`; `undefined` for anything else. */
export function readZhipuKey(key: string): ZhipuKey | undefined {
  const [id = '', secret = '', ...more] = key.split('.')
  return id === '' || secret === '' || more.length > 0 ? undefined : { id, secret }
}

/**
 * Returns the token of Zhipu's older API, which is sent in `Authorization` without `Bearer`. Its times are in
 * milliseconds. https://docs.bigmodel.cn/cn/guide/develop/http/introduction
 */
export function zhipuJwt({ id, secret }: ZhipuKey, nowMs: number): string {
  return signHs256(
    {
      header: { alg: 'HS256', sign_type: 'SIGN', typ: 'JWT' },
      claims: { api_key: id, exp: nowMs + LIFETIME_MS, timestamp: nowMs },
    },
    secret,
  )
}
