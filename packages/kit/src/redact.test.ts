import { describe, expect, it } from 'vitest'
import { redact } from './redact.ts'

describe('redact', () => {
  it.each([
    ['use sk-abcdef0123456789abcdef please', 'use [key] please'],
    ['AKIAIOSFODNN7EXAMPLE and AIzaSyA1234567890abcdefghij_-x', '[key] and [key]'],
    ['Authorization: Bearer abc.def-ghi_jkl', 'Authorization: [key]'],
    ['eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl', '[key]'],
    ['ghp_0123456789abcdefABCDEF', '[key]'],
    ['-----BEGIN RSA PRIVATE KEY-----\nMIIE\nnever ended', '[key]'],
    ['{"password": "hunter22", "n": 1}', '{"password": "[key]", "n": 1}'],
    ['DB_PASSWORD=hunter22', 'DB_PASSWORD=[key]'],
    ['密码：hunter22', '密码：[key]'],
    ['postgres://me:hunter2@db/x', 'postgres://[key]@db/x'],
    ['write to jane.doe+x@mail.example.com!', 'write to [e-mail]!'],
    ['card 4111 1111 1111 1111, really', 'card [card], really'],
    ['4111111111111111 5555555555554444', '[card] [card]'],
    ['call +44 20 7946 0958 or (415) 555-2671', 'call [phone] or [phone]'],
    ['手机13800138000，座机 010-12345678', '手机[phone]，座机 [phone]'],
    ['身份证 11010519491231002X', '身份证 [identity number]'],
  ])('redacts: %s', (text, left) => {
    expect(redact(text).text).toBe(left)
  })

  it.each([
    'on 2026-11-22 09:30:15 there were 1234567 rows',
    '192.168.100.200 answered in 1795256458 ms',
    'the token count is 1204, the secret of success: work',
    'sk- is a prefix; 3.14159265358979',
  ])('leaves unchanged: %s', (text) => {
    expect(redact(text)).toEqual({ text, found: 0 })
  })

  it('counts its replacements', () => {
    expect(redact('a@b.example, c@d.example, sk-0123456789').found).toBe(3)
  })

  it.each(['a', '1 ', '@', 'eyJ', 'a:', '-----BEGIN PRIVATE KEY-----', 'password=', '://a:', '+1('])(
    'takes linear time for many repetitions of %j',
    (piece) => {
      // A pattern with quadratic or worse backtracking would not finish here.
      expect(redact(piece.repeat(200_000)).text.length).toBeGreaterThan(0)
    },
  )
})
