import { balanceAt } from './define/balance.ts'
import { defineReseller } from './define/reseller.ts'
import { joinUrl } from './define/url.ts'

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
