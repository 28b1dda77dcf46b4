import '@fontsource-variable/inter'
import './styles/tokens.css'
import './styles/base.css'
import { connectHost } from './host/connect-host.ts'
import { makeApp } from './mount.ts'

makeApp(connectHost()).mount('#app')
