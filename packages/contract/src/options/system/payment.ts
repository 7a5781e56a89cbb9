import { address } from '../address-kinds.ts'
import { columns, ratios } from '../json-kinds.ts'
import { decimal, integer, secret, text } from '../kinds.ts'
import { section } from '../section.ts'

export const paymentSection = section({
  key: 'payment',
  title: { en: 'Payment', zh: '支付设置' },
  purpose: {
    en: 'Online top-up opens when address, merchant ID and key are filled in.',
    zh: '填写支付地址、商户 ID 和密钥后，在线充值即开放。',
  },
  needs: 'ServerAddress',
  settings: {
    PayAddress: address('', {
      label: { en: 'Gateway address', zh: '支付地址' },
      help: {
        en: 'Address of the payment gateway. With merchant ID and key it opens online top-up.',
        zh: '支付网关的地址，与商户 ID 和密钥一起启用在线充值。',
      },
      // Payments go to this address.
      isGuarded: true,
    }),
    EpayId: text('', 100, {
      label: { en: 'Merchant ID', zh: '易支付商户 ID' },
      help: { en: 'Your merchant ID at the payment gateway.', zh: '您在支付网关的商户 ID。' },
      // Together with the key it authenticates payment callbacks.
      isGuarded: true,
    }),
    EpayKey: secret({
      label: { en: 'Merchant key', zh: '易支付商户密钥' },
      help: {
        en: 'Signs orders and proves payments; without it no payment is accepted.',
        zh: '用于签名订单和验证支付；没有它任何支付都不会被承认。',
      },
    }),
    CustomCallbackAddress: address('', {
      label: { en: 'Callback address', zh: '回调地址' },
      help: {
        en: 'Where the payment gateway reports payments, if not at the server address.',
        zh: '支付网关通知支付结果的地址，留空则使用服务器地址。',
      },
      // Payment callbacks arrive at this address.
      isGuarded: true,
    }),
    Price: decimal(7.3, {
      min: 0.0001,
      max: 1_000_000,
      label: { en: 'Price of one unit', zh: '充值价格' },
      help: {
        en: 'What one currency unit of quota costs, in the currency of the payment gateway.',
        zh: '每单位额度的价格，以支付网关的货币计。',
      },
    }),
    MinTopUp: integer(1, {
      min: 1,
      max: 1_000_000,
      label: { en: 'Smallest top-up', zh: '最低充值数量' },
      help: { en: 'The smallest number of units that can be bought at once.', zh: '单次充值的最低数量。' },
    }),
    TopupGroupRatio: ratios(
      { default: 1, vip: 1, svip: 1 },
      {
        label: { en: 'Top-up ratio by group', zh: '充值分组倍率' },
        help: {
          en: 'A JSON object of groups to price factors: 0.8 gives a group 20 % off.',
          zh: '分组到价格倍率的 JSON 对象：0.8 表示该分组八折。',
        },
        columns: [columns.group, columns.ratio],
      },
    ),
  },
})
