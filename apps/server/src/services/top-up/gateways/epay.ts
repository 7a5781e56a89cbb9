import type { PaymentGateway } from './gateway.ts'
import { epaySignature, isEpaySigned } from './epay-signature.ts'

const PAID = 'TRADE_SUCCESS'

/** The interface of 易支付: a signed form there, a signed report back. Alipay and WeChat through one merchant. */
export const epay: PaymentGateway = {
  id: 'epay',
  isOpen: (options) => (['PayAddress', 'EpayId', 'EpayKey'] as const).every((key) => options.get(key) !== ''),
  // It leads on to whichever wallet pays, and browsers hold redirects of a form to the same rule.
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
