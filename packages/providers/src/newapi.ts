import { dashboardBalance } from './define/balance.ts'
import { defineProvider } from './define/define-provider.ts'
import { gatewayEndpoints } from './define/gateway.ts'
import { openaiModels } from './define/model-list.ts'
import { soraUpstream } from './tasks/sora.ts'

/** Another gateway such as new-api, or another Tollgate. https://docs.newapi.pro/en/docs/api */
export const newapi = defineProvider({
  id: 'newapi',
  type: 60,
  label: 'New API',
  address: { example: 'https://gateway.example.com' },
  tasks: soraUpstream,
  endpoints: gatewayEndpoints,
  modelList: openaiModels(),
  balance: dashboardBalance,
})
