import { fireEvent, render, screen, waitFor } from '@testing-library/react'
import { Button, Form } from 'antd'
import dayjs, { type Dayjs } from 'dayjs'
import { expect, it, vi } from 'vitest'
import { TimeField } from './time-field.tsx'

interface Dated {
  readonly ends?: Dayjs | undefined
}

const UNREADABLE = /^Enter a date and time such as/
const PAST = 'Choose a time in the future.'

function open(initial: Dated = {}) {
  const onFinish = vi.fn<(value: Dated) => void>()
  function Page() {
    const [form] = Form.useForm<Dated>()
    return (
      <Form form={form} initialValues={initial} onFinish={onFinish}>
        <TimeField name="ends" label="Ends" placeholder="Never" isFuture />
        <Button onClick={() => form.setFieldValue('ends', undefined)}>Clear it</Button>
        <Button htmlType="submit">Create</Button>
      </Form>
    )
  }
  render(<Page />)
  return onFinish
}

const field = () => screen.getByLabelText<HTMLInputElement>('Ends')
const type = (text: string) => {
  fireEvent.focus(field())
  fireEvent.change(field(), { target: { value: text } })
}
const create = () => fireEvent.click(screen.getByRole('button', { name: 'Create' }))

it('a typed date is sent even if the field still has the focus', async () => {
  const onFinish = open()
  type('2097-01-31 18:00')
  create()
  await waitFor(() => expect(onFinish).toHaveBeenCalledOnce())
  expect(onFinish.mock.calls[0]?.[0].ends?.format('YYYY-MM-DD HH:mm')).toBe('2097-01-31 18:00')
})

it.each([
  ['not a date', UNREADABLE],
  ['2096-13-45 99:99', UNREADABLE],
  ['2097-01-31', UNREADABLE],
  ['2020-01-01 00:00', PAST],
])('“%s” is an error at the field, and nothing is sent', async (text, error) => {
  const onFinish = open()
  type(text)
  create()
  await screen.findByText(error)
  expect(onFinish).not.toHaveBeenCalled()
  expect(field().value).toBe(text)
})

it('text that is not a date does not restore the previous date', async () => {
  const onFinish = open({ ends: dayjs('2097-01-31 18:00') })
  type('2097-01-31 18:0')
  create()
  await screen.findByText(UNREADABLE)
  expect(onFinish).not.toHaveBeenCalled()
  type('2097-01-31 18:00')
  create()
  await waitFor(() => expect(onFinish).toHaveBeenCalledOnce())
})

it('leaving the field with an invalid date shows an error', async () => {
  open()
  type('tomorrow')
  fireEvent.blur(field())
  await screen.findByText(UNREADABLE)
})

it('a day clicked in the calendar is accepted without OK', async () => {
  const onFinish = open({ ends: dayjs('2097-01-31 18:00') })
  fireEvent.mouseDown(field())
  fireEvent.click(field())
  fireEvent.click(await screen.findByTitle('2097-01-20'))
  create()
  await waitFor(() => expect(onFinish).toHaveBeenCalledOnce())
  expect(onFinish.mock.calls[0]?.[0].ends?.format('YYYY-MM-DD HH:mm')).toBe('2097-01-20 18:00')
})

it('an empty field means no date, and a button of the form can replace invalid text', async () => {
  const onFinish = open({ ends: dayjs('2097-01-31 18:00') })
  type('')
  create()
  await waitFor(() => expect(onFinish).toHaveBeenCalledOnce())
  expect(onFinish.mock.calls[0]?.[0].ends).toBeUndefined()
  type('never')
  fireEvent.click(screen.getByRole('button', { name: 'Clear it' }))
  await waitFor(() => expect(field().value).toBe(''))
  create()
  await waitFor(() => expect(onFinish).toHaveBeenCalledTimes(2))
})

it('a date that was already past when the form was opened is accepted', async () => {
  const onFinish = open({ ends: dayjs('2020-01-01 00:00') })
  create()
  await waitFor(() => expect(onFinish).toHaveBeenCalledOnce())
})

it('the calendar stays closed when a refused form moves the focus back to its field', async () => {
  open()
  fireEvent.mouseDown(field())
  fireEvent.click(field())
  type('2020-01-01 00:00')
  await waitFor(() => expect(calendar()?.className).not.toMatch(/leave|hidden/))
  fireEvent.blur(field(), { relatedTarget: screen.getByRole('button', { name: 'Create' }) })
  create()
  fireEvent.focus(field())
  await screen.findByText(PAST)
  await waitFor(() => expect(calendar()?.className).toMatch(/leave|hidden/))
})

const calendar = () => document.querySelector('.ant-picker-dropdown')
