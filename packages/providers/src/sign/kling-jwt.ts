import { signHs256 } from './jwt.ts'

const LIFETIME_S = 1800
/** Tolerance for clock differences, in seconds. */
const LEEWAY_S = 5

export interface KlingKey {
  readonly access: string
  readonly secret: string
}

/** Parses `AccessKey|SecretKey`; `undefined` for anything else. */
export function readKlingKey(key: string): KlingKey | undefined {
  const [access = '', secret = '', ...more] = key.split('|')
  return access === '' || secret === '' || more.length > 0 ? undefined : { access, secret }
}

/** https://app.klingai.com/global/dev/document-api/apiReference/commonInfo */
export function klingJwt({ access, secret }: KlingKey, nowMs: number): string {
  const now = Math.floor(nowMs / 1000)
  return signHs256(
    {
      header: { alg: 'HS256', typ: 'JWT' },
      claims: { exp: now + LIFETIME_S, iss: access, nbf: now - LEEWAY_S },
    },
    secret,
  )
}
