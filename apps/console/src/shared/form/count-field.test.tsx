import { fireEvent, render, screen, waitFor } from '@testing-library/react'
import { Button, Form } from 'antd'
import { expect, it, vi } from 'vitest'
import { CountField } from './count-field.tsx'

function open() {
  const onFinish = vi.fn<(value: { count: number }) => void>()
  render(
    <Form initialValues={{ count: 1 }} onFinish={onFinish}>
      <CountField name="count" label="How many" help="" max={100} picks={[10, 20, 30, 100]} />
      <Button htmlType="submit">Create</Button>
    </Form>,
  )
  return onFinish
}

const click = (name: string) => fireEvent.click(screen.getByRole('button', { name }))
const type = (value: string) => fireEvent.change(screen.getByLabelText('How many'), { target: { value } })

it.each(['0', '-1', '1.5', 'abc', '101', ''])(
  '“%s” is an error at the field, and nothing is sent',
  async (text) => {
    const onFinish = open()
    type(text)
    click('Create')
    await screen.findByText('Enter a whole number from 1 to 100.')
    expect(onFinish).not.toHaveBeenCalled()
    expect(screen.getByLabelText<HTMLInputElement>('How many').value).toBe(text)
  },
)

it('a count is chosen with one click, or typed', async () => {
  const onFinish = open()
  for (const pick of ['10', '20', '30', '100']) {
    click(pick)
    click('Create')
    await waitFor(() => expect(onFinish).toHaveBeenLastCalledWith({ count: Number(pick) }))
  }
  type('7')
  click('Create')
  await waitFor(() => expect(onFinish).toHaveBeenLastCalledWith({ count: 7 }))
})
