import { balanceAt } from './define/balance.ts'
import { defineReseller } from './define/reseller.ts'
import { joinUrl } from './define/url.ts'

/** Vendors that resell OpenAI's models and differ only in address and balance. */

export const aigc2d = defineReseller({
  id: 'aigc2d',
  type: 13,
  label: 'AIGC2D',
  balance: balanceAt('/dashboard/billing/credit_grants', 'total_available'),
})

export const aiproxy = defineReseller({
  id: 'aiproxy',
  type: 10,
  label: 'AI Proxy',
  baseUrl: 'https://api.aiproxy.io',
  balance: {
    ...balanceAt('/api/report/getUserOverview', 'data.totalPoints', 'points'),
    // The vendor serves the usage report at its main host, not at the API host.
    url: ({ baseUrl }) =>
      joinUrl(baseUrl.replace('://api.aiproxy.io', '://aiproxy.io'), '/api/report/getUserOverview'),
    authHeaders: ({ key }) => ({ 'api-key': key }),
  },
})

export const api2gpt = defineReseller({
  id: 'api2gpt',
  type: 12,
  label: 'API2GPT',
  balance: balanceAt('/dashboard/billing/credit_grants', 'total_remaining'),
})

export const caipacity = defineReseller({ id: 'caipacity', type: 9, label: 'AILS' })

export const ohmygpt = defineReseller({ id: 'ohmygpt', type: 7, label: 'OhMyGPT' })

export const openaimax = defineReseller({ id: 'openaimax', type: 6, label: 'OpenAIMax' })
