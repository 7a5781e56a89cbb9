import { useState } from 'react'
import { useIsAdmin } from '../../shared/session/session.ts'
import { useColumns } from '../../shared/table/use-columns.ts'
import { useTasks } from './api.ts'
import { ClipsDialog } from './clips-dialog.tsx'
import { type ShownClips, useTaskColumns } from './columns.tsx'
import { taskRange } from './search.ts'
import { TaskList } from './task-list.tsx'
import { type ShownText, TextDialog } from './text-dialog.tsx'
import { useTaskSearch } from './use-task-search.ts'

const COLUMNS_KEY = 'tasks-table-columns'

/** The log of songs, videos and other tasks, with their progress and results. */
export default function TaskLogPage() {
  const isAdmin = useIsAdmin()
  const search = useTaskSearch(taskRange)
  const [shown, setShown] = useState<ShownText>()
  const [playing, setPlaying] = useState<ShownClips>()
  const columns = useColumns(COLUMNS_KEY, useTaskColumns({ isAdmin, onShow: setShown, onPlay: setPlaying }))
  return (
    <TaskList name="tasks" search={search} source={useTasks({ isAdmin, ...search })} columns={columns}>
      {shown && <TextDialog shown={shown} onClose={() => setShown(undefined)} />}
      {playing && <ClipsDialog {...playing} onClose={() => setPlaying(undefined)} />}
    </TaskList>
  )
}
