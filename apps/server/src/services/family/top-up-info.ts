import type { familyRoutes } from '@tollgate/contract/family'
import type { Handler } from '../handler.ts'
import type { Services } from '../services.ts'
import { epay } from '../top-up/gateways/epay.ts'

const METHODS = [
  { name: '支付宝', type: 'alipay', color: 'rgba(var(--semi-blue-5), 1)' },
  { name: '微信', type: 'wxpay', color: 'rgba(var(--semi-green-5), 1)' },
]

/** When currency display is off, new-api expects the minimum top-up in quota units too. */
export function getTopUpInfo({ options }: Services): Handler<typeof familyRoutes.topUpInfo> {
  return async () => {
    const isOpen = epay.isOpen(options)
    const unit = options.get('DisplayInCurrencyEnabled') ? 1 : options.get('QuotaPerUnit')
    return {
      enable_online_topup: isOpen,
      enable_stripe_topup: false,
      enable_creem_topup: false,
      enable_redemption: true,
      pay_methods: isOpen ? METHODS : [],
      min_topup: options.get('MinTopUp') * unit,
      stripe_min_topup: 0,
      creem_products: '[]',
      amount_options: [],
      discount: {},
      topup_link: options.get('TopUpLink'),
    }
  }
}
