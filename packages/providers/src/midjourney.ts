import { keyLike } from './define/credentials.ts'
import { defineProvider } from './define/define-provider.ts'
import { midjourneyModels } from './tasks/midjourney-actions.ts'
import { midjourneyProxy } from './tasks/midjourney.ts'

/** https://github.com/novicezk/midjourney-proxy */
export const midjourney = defineProvider({
  id: 'midjourney',
  type: 2,
  label: 'Midjourney Proxy',
  address: { example: 'https://midjourney.example.com' },
  credentials: keyLike('mj-api-secret'),
  authHeaders: ({ key }) => ({ 'mj-api-secret': key }),
  tasks: midjourneyProxy,
  models: midjourneyModels,
})
