import { optionDefinition } from '@tollgate/contract/options/index'
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it, vi } from 'vitest'
import { SettingControl } from './setting-control.tsx'

const onChange = vi.fn<(text: string) => void>()

function show(value: string) {
  onChange.mockReset()
  render(
    <SettingControl
      id="x"
      describedBy="y"
      definition={optionDefinition('log_setting.keep_days')}
      value={value}
      isSet
      isEntered={false}
      isFaulty={false}
      onChange={onChange}
      onForget={vi.fn()}
    />,
  )
}

it('the retention days of each log type have a field of their own', async () => {
  show('{"consumption":3,"signIn":0}')
  expect(screen.getByLabelText<HTMLInputElement>('Consumption').value).toBe('3')
  await userEvent.type(screen.getByLabelText('Consumption'), '5')
  expect(JSON.parse(onChange.mock.lastCall?.[0] ?? '')).toEqual({ consumption: 35, signIn: 0 })
})

it('text that is not a number is kept as typed, so that validation rejects it', async () => {
  show('{"error":1}')
  await userEvent.type(screen.getByLabelText('Error'), 'x')
  expect(JSON.parse(onChange.mock.lastCall?.[0] ?? '')).toEqual({ error: '1x' })
})
