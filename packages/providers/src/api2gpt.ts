import { balanceAt } from './define/balance.ts'
import { defineReseller } from './define/reseller.ts'

export const api2gpt = defineReseller({
  id: 'api2gpt',
  type: 12,
  label: 'API2GPT',
  baseUrl: 'https://api.api2gpt.com',
  balance: balanceAt('/dashboard/billing/credit_grants', 'total_remaining'),
})
