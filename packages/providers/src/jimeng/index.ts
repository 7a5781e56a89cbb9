import { keyPart, keyParts } from '../define/credentials.ts'
import { defineProvider } from '../define/define-provider.ts'
import { openaiImages } from '../define/openai.ts'
import { joinUrl } from '../define/url.ts'
import { pictureError, readPicture, writePicture } from './picture.ts'
import { onBody } from '../quirks/body.ts'
import { volcengineHeaders } from '../sign/volcengine.ts'
import { jimengUpstream } from '../tasks/jimeng.ts'

/**
 * Images, which are returned synchronously, and videos. https://www.volcengine.com/docs/85621. A key of one
 * part belongs to another gateway.
 */
export const jimeng = defineProvider({
  id: 'jimeng',
  type: 51,
  label: 'Jimeng',
  baseUrl: 'https://visual.volcengineapi.com',
  credentials: keyParts('AccessKey|SecretKey', 1, 2),
  authHeaders: ({ key }): Record<string, string> => (isPlain(key) ? { authorization: `Bearer ${key}` } : {}),
  signRequest: ({ url, body }, { key }, nowMs) =>
    isPlain(key)
      ? {}
      : volcengineHeaders({
          accessKey: keyPart(key, 0),
          secretKey: keyPart(key, 1),
          region: 'cn-north-1',
          service: 'cv',
          method: 'POST',
          url: new URL(url),
          body,
          nowMs,
        }),
  endpoints: {
    images: [
      openaiImages({
        url: (_outgoing, { baseUrl, key }) =>
          joinUrl(baseUrl, `${isPlain(key) ? '/jimeng' : ''}/?Action=CVProcess&Version=2022-08-31`),
        quirks: [onBody(writePicture)],
        adjustAnswer: readPicture,
      }),
    ],
  },
  tasks: jimengUpstream,
  models: ['jimeng_high_aes_general_v21_L', 'jimeng_v30', 'jimeng_v30_1080p', 'jimeng_v30_pro'],
  errorInside: pictureError,
})

function isPlain(key: string): boolean {
  return !key.includes('|')
}
