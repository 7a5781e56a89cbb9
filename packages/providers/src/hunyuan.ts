import { ownFormat } from './build/conversations.ts'
import { keyPart, keyParts } from './build/credentials.ts'
import { defineProvider, names } from './build/define.ts'
import { hunyuanChat } from './hunyuan/codec.ts'
import { tc3Authorization, tc3Timestamp } from './sign/tc3.ts'

/** https://cloud.tencent.com/document/api/1729/105701 */
export const hunyuan = defineProvider({
  id: 'hunyuan',
  type: 23,
  label: 'Tencent Hunyuan',
  baseUrl: 'https://hunyuan.tencentcloudapi.com',
  credentials: keyParts('AppId|SecretId|SecretKey', 3, 3),
  sign: () => ({ 'x-tc-action': 'ChatCompletions', 'x-tc-version': '2023-09-01' }),
  seal: ({ url, body }, { key }, nowMs) => ({
    'x-tc-timestamp': tc3Timestamp(nowMs),
    authorization: tc3Authorization({
      secretId: keyPart(key, 1),
      secretKey: keyPart(key, 2),
      service: 'hunyuan',
      headers: {
        'content-type': 'application/json',
        host: new URL(url).host,
        'x-tc-action': 'ChatCompletions',
      },
      body,
      nowMs,
    }),
  }),
  speaks: { own: [ownFormat(hunyuanChat, { path: '/' })] },
  models: names(
    'hunyuan-lite hunyuan-standard hunyuan-standard-256K hunyuan-pro hunyuan-turbos-latest hunyuan-t1-latest',
  ),
})
