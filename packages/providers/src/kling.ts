import { keyParts } from './define/credentials.ts'
import { defineProvider, names } from './define/define-provider.ts'
import { klingUpstream } from './tasks/kling.ts'

/**
 * Video generation. https://app.klingai.com/global/dev/document-api. A key of one part belongs to another
 * gateway.
 */
export const kling = defineProvider({
  id: 'kling',
  type: 50,
  label: 'Kling',
  baseUrl: 'https://api.klingai.com',
  credentials: keyParts('AccessKey|SecretKey', 1, 2),
  authHeaders: () => ({}),
  tasks: klingUpstream,
  models: names('kling-v1 kling-v1-6 kling-v2-master'),
})
