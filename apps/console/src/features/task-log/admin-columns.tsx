import type { TaskRow } from '@tollgate/contract/task'
import type { Column } from '../../shared/table/column.ts'
import { ChannelCell, TextCell } from './cells.tsx'
import type { taskLogMessages } from './i18n.ts'
import type { ShownText } from './text-dialog.tsx'

export type LogColumn<Row> = Column<Row> & { readonly isForAdmins?: boolean }

/** The columns for channel and user, shared by all task logs. */
export function placeColumns<Row extends Pick<TaskRow, 'channel_id' | 'channel_name' | 'username'>>(
  t: ReturnType<typeof taskLogMessages.use>,
): readonly LogColumn<Row>[] {
  return [
    {
      key: 'channel',
      title: t('word.channel'),
      isForAdmins: true,
      phone: 'more',
      render: (row) => <ChannelCell id={row.channel_id} name={row.channel_name} />,
    },
    {
      key: 'user',
      title: t('word.user'),
      isForAdmins: true,
      phone: 'detail',
      render: ({ username }) => username,
    },
  ]
}

interface TextColumnInput<Row> {
  readonly key: string
  readonly title: string
  readonly textOf: (row: Row) => string
  readonly onShow: (shown: ShownText) => void
  readonly isHiddenAtFirst?: boolean
}

/** A column for a text that may be long; a click shows all of it. */
export function textColumn<Row>(input: TextColumnInput<Row>): LogColumn<Row> {
  const { textOf, onShow, ...column } = input
  return {
    ...column,
    isFluid: true,
    phone: 'more',
    render: (row) => <TextCell text={textOf(row)} onShow={(text) => onShow({ title: input.title, text })} />,
  }
}

export function columnsFor<Row>(
  columns: readonly LogColumn<Row>[],
  isAdmin: boolean,
): readonly Column<Row>[] {
  return columns.filter((column) => isAdmin || column.isForAdmins !== true)
}
