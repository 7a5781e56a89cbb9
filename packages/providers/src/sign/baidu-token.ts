import { keyPart } from '../define/credentials.ts'
import { readTokenAnswer, type TokenExchange } from './exchange.ts'

const TOKEN_URL = 'https://aip.baidubce.com/oauth/2.0/token'

/**
 * Exchanges a key `APIKey|SecretKey` for an access token.
 * https://cloud.baidu.com/doc/WENXINWORKSHOP/s/Ilkkrb0i5
 */
export const baiduTokens: TokenExchange = {
  request: (key) => ({
    url: `${TOKEN_URL}?${new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: keyPart(key, 0),
      client_secret: keyPart(key, 1),
    }).toString()}`,
    headers: { 'content-type': 'application/json' },
    body: '',
  }),
  read: readTokenAnswer,
}
