import { balanceAt } from './define/balance.ts'
import { defineReseller } from './define/reseller.ts'

export const aigc2d = defineReseller({
  id: 'aigc2d',
  type: 13,
  label: 'AIGC2D',
  baseUrl: 'https://api.aigc2d.com',
  balance: balanceAt('/dashboard/billing/credit_grants', 'total_available'),
})
