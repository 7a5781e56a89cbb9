import type { PaymentGateway } from './gateway.ts'
import { epaySignature, isEpaySigned } from './epay-signature.ts'

const PAID = 'TRADE_SUCCESS'

/**
 * The Epay (易支付) protocol: a signed form to the gateway, a signed callback from it. It offers Alipay and
 * WeChat Pay through one merchant account.
 */
export const epay: PaymentGateway = {
  id: 'epay',
  isOpen: (options) => (['PayAddress', 'EpayId', 'EpayKey'] as const).every((key) => options.get(key) !== ''),
  // Epay redirects to the site of a wallet, and browsers apply the form-action rule to redirects of a form
  // too, so any HTTPS origin is allowed.
  formOrigins: (options) =>
    epay.isOpen(options) ? [new URL(options.get('PayAddress')).origin, 'https:'] : [],
  methodName: (method) => (method === 'zfb' ? 'alipay' : 'wxpay'),

  checkout(options, order) {
    const fields = {
      pid: options.get('EpayId'),
      type: order.method,
      out_trade_no: order.tradeNo,
      notify_url: order.notifyUrl,
      name: order.title,
      money: order.money,
      device: 'pc',
      sign_type: 'MD5',
      return_url: order.returnUrl,
    }
    const sign = epaySignature(fields, options.get('EpayKey'))
    return { url: `${options.get('PayAddress')}/submit.php`, fields: { ...fields, sign } }
  },

  readReport(options, fields) {
    if (!epay.isOpen(options) || !isEpaySigned(fields, options.get('EpayKey'))) return undefined
    if (fields['pid'] !== options.get('EpayId')) return undefined
    return {
      isPaid: fields['trade_status'] === PAID,
      tradeNo: fields['out_trade_no'] ?? '',
      providerTradeNo: fields['trade_no'] || undefined,
      method: fields['type'] ?? '',
      money: fields['money'] ?? '',
    }
  },
}
