import { describe, expect, it } from 'vitest'
import { epaySignature, isEpaySigned } from './epay-signature.ts'

const order = {
  device: 'pc',
  money: '7.30',
  name: 'TUC1',
  notify_url: 'https://gw.example.com/api/user/epay/notify',
  out_trade_no: 'USR12NOa1B2c31718000000',
  pid: '1001',
  return_url: 'https://gw.example.com/log',
  type: 'alipay',
}

describe('the Epay signature', () => {
  it.each([
    [{ device: 'devicev', money: 'moneyv' }, '1234567', '3854cc9f022e0fb821bd2e002260245d'],
    [order, 'SECRETKEY', '571aef8dd27cd17df03549e1b0afb642'],
    [{ ...order, sign: 'x', sign_type: 'MD5', param: '' }, 'SECRETKEY', '571aef8dd27cd17df03549e1b0afb642'],
  ])('matches reference signatures', (fields, key, signature) => {
    expect(epaySignature(fields, key)).toBe(signature)
    expect(isEpaySigned({ ...fields, sign: signature }, key)).toBe(true)
  })

  it.each([
    ['of another key', { ...order, sign: epaySignature(order, 'OTHER') }],
    ['of another sum', { ...order, money: '0.01', sign: '571aef8dd27cd17df03549e1b0afb642' }],
    ['that is missing', order],
    ['that is too short', { ...order, sign: '571a' }],
  ])('is rejected if it is one %s', (_what, fields) => {
    expect(isEpaySigned(fields, 'SECRETKEY')).toBe(false)
  })
})
