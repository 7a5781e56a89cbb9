import { beforeEach, describe, expect, it } from 'vitest'
import { rememberedStatus } from './status.ts'

beforeEach(() => localStorage.clear())

describe('rememberedStatus', () => {
  it('is undefined on a first visit', () => {
    expect(rememberedStatus()).toBeUndefined()
  })

  it('returns the status of the last visit', () => {
    localStorage.setItem(
      'status',
      JSON.stringify({ setup: true, system_name: 'East Gate', quota_per_unit: 1000 }),
    )
    expect(rememberedStatus()).toMatchObject({ setup: true, system_name: 'East Gate', quota_per_unit: 1000 })
  })

  it.each(['{', '7', 'null'])('ignores the invalid text %s', (stored) => {
    localStorage.setItem('status', stored)
    expect(rememberedStatus()).toBeUndefined()
  })

  it('ignores a field of another type', () => {
    localStorage.setItem(
      'status',
      JSON.stringify({ quota_per_unit: '12', footer_html: 7, unknown_to_us: true }),
    )
    expect(rememberedStatus()).toMatchObject({ quota_per_unit: 500_000, footer_html: '' })
    expect(rememberedStatus()).not.toHaveProperty('unknown_to_us')
  })
})
