import type { TaskRow } from '@tollgate/contract/task'
import type { Column } from '../../shared/table/column.ts'
import { ChannelCell } from './cells.tsx'
import type { taskLogMessages } from './i18n.ts'

export type LogColumn<Row> = Column<Row> & { readonly isForAdmins?: boolean }

/** The columns for channel and user, shared by all task logs. */
export function placeColumns<Row extends Pick<TaskRow, 'channel_id' | 'channel_name' | 'username'>>(
  t: ReturnType<typeof taskLogMessages.use>,
): readonly LogColumn<Row>[] {
  return [
    {
      key: 'channel',
      title: t('column.channel'),
      isForAdmins: true,
      phone: 'more',
      render: (row) => <ChannelCell id={row.channel_id} name={row.channel_name} />,
    },
    {
      key: 'user',
      title: t('column.user'),
      isForAdmins: true,
      phone: 'detail',
      render: ({ username }) => username,
    },
  ]
}

export function columnsFor<Row>(
  columns: readonly LogColumn<Row>[],
  isAdmin: boolean,
): readonly Column<Row>[] {
  return columns.filter((column) => isAdmin || column.isForAdmins !== true)
}
