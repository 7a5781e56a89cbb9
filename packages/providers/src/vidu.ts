import { keyLike } from './define/credentials.ts'
import { defineProvider, names } from './define/define-provider.ts'
import { viduUpstream } from './tasks/vidu.ts'

/** Video generation. https://platform.vidu.com/docs */
export const vidu = defineProvider({
  id: 'vidu',
  type: 52,
  label: 'Vidu',
  baseUrl: 'https://api.vidu.cn',
  credentials: keyLike('vda_…'),
  authHeaders: () => ({}),
  tasks: viduUpstream,
  models: names('viduq2 viduq1 vidu2.0 vidu1.5'),
})
