import { defineProvider } from './define/define-provider.ts'
import { gatewayEndpoints } from './define/gateway.ts'
import { openaiModels } from './define/model-list.ts'

/** A gateway that gives access to subscriptions. https://github.com/Wei-Shaw/sub2api */
export const sub2api = defineProvider({
  id: 'sub2api',
  type: 59,
  label: 'Sub2API',
  address: { example: 'https://gateway.example.com' },
  endpoints: gatewayEndpoints,
  modelList: openaiModels(),
})
