import { keyLike } from './define/credentials.ts'
import { defineProvider } from './define/define-provider.ts'
import { midjourneyModels } from './tasks/midjourney-actions.ts'
import { midjourneyProxy } from './tasks/midjourney.ts'

/**
 * A variant of midjourney-proxy with more buttons and the same wire format.
 * https://github.com/litter-coder/midjourney-proxy-plus
 */
export const midjourneyPlus = defineProvider({
  id: 'midjourney-plus',
  type: 5,
  label: 'Midjourney Proxy Plus',
  address: { example: 'https://midjourney.example.com' },
  credentials: keyLike('mj-api-secret'),
  authHeaders: ({ key }) => ({ 'mj-api-secret': key }),
  tasks: midjourneyProxy,
  models: midjourneyModels,
})
