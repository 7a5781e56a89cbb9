import { DatePicker } from 'antd'

type TimePickerProps = Omit<Parameters<typeof DatePicker>[0], 'showTime' | 'format' | 'onKeyDown'>

/** A day with its time. Enter takes what was typed; it does not send the form around the field. */
export function TimePicker(props: TimePickerProps) {
  return (
    <DatePicker
      {...props}
      showTime={{ format: 'HH:mm' }}
      format="YYYY-MM-DD HH:mm"
      onKeyDown={(event) => {
        if (event.key === 'Enter') event.preventDefault()
      }}
    />
  )
}
