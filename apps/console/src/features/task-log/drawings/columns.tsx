import type { DrawingRow } from '@tollgate/contract/task'
import { Status } from '../../../shared/status/status.tsx'
import type { Column } from '../../../shared/table/column.ts'
import { momentColumn } from '../../../shared/table/moment-column.tsx'
import { columnsFor, type LogColumn, placeColumns, textColumn, useCommonColumns } from '../admin-columns.tsx'
import { SpentCell, TextCell } from '../cells.tsx'
import { taskLogMessages } from '../i18n.ts'
import { wordOfResult } from '../states.ts'
import styles from '../task-log.module.css'
import type { ShownText } from '../text-dialog.tsx'
import { resultSource } from '../result-address.ts'
import type { ShownImage } from './image-dialog.tsx'

interface DrawingColumnsInput {
  readonly isAdmin: boolean
  readonly onShow: (shown: ShownText) => void
  readonly onImage: (image: ShownImage) => void
}

const MS = 1000

/** The columns for the channel, its response to the submission, and the user are shown only to admins. */
export function useDrawingColumns(input: DrawingColumnsInput): readonly Column<DrawingRow>[] {
  const { isAdmin, onShow, onImage } = input
  const t = taskLogMessages.use()
  const common = useCommonColumns<DrawingRow>(onShow)
  const columns: readonly LogColumn<DrawingRow>[] = [
    momentColumn({
      key: 'submitted',
      title: t('column.submitted'),
      phone: 'detail',
      seconds: (row) => Math.floor(row.submit_time / MS),
    }),
    {
      key: 'spent',
      title: t('column.spent'),
      phone: 'detail',
      render: (row) => <SpentCell submitMs={row.submit_time} finishMs={row.finish_time} />,
    },
    ...placeColumns<DrawingRow>(t),
    common.action,
    {
      key: 'id',
      title: t('word.taskId'),
      phone: 'more',
      render: ({ mj_id: text }) => (
        <TextCell isId text={text} onShow={() => onShow({ title: t('word.taskId'), text })} />
      ),
    },
    {
      key: 'result',
      title: t('column.result'),
      isForAdmins: true,
      phone: 'more',
      render: ({ code }) => <ResultCell code={code} />,
    },
    common.status,
    {
      key: 'image',
      title: t('column.image'),
      phone: 'detail',
      render: (row) => <ImageCell row={row} onImage={onImage} />,
    },
    common.cost,
    textColumn({ key: 'prompt', title: t('column.prompt'), textOf: ({ prompt }) => prompt, onShow }),
    textColumn({
      key: 'promptEn',
      title: t('column.promptEn'),
      textOf: ({ prompt_en: text }) => text,
      onShow,
      isHiddenAtFirst: true,
    }),
    common.reason,
  ]
  return columnsFor(columns, isAdmin)
}

function ResultCell({ code }: { readonly code: number }) {
  const t = taskLogMessages.use()
  const [word, tone] = wordOfResult(code)
  return <Status tone={tone} label={t(word)} />
}

interface ImageCellProps {
  readonly row: DrawingRow
  readonly onImage: (image: ShownImage) => void
}

function ImageCell({ row, onImage }: ImageCellProps) {
  const t = taskLogMessages.use()
  const source = resultSource(row.image_url)
  if (source === '') return null
  return (
    <button
      type="button"
      className={styles.open}
      onClick={(event) => {
        event.stopPropagation()
        onImage({ source, prompt: row.prompt, id: row.mj_id })
      }}
    >
      {t('image.show')}
    </button>
  )
}
