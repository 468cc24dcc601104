/* perfplugin: built from frontend/ by build.mjs. sources sha256 dda2b55b55127377dd55c328f384aefde622538d80773665a0696577863a1e52 */
var libraries=(()=>{var Ss=Object.defineProperty;var Ya=Object.getOwnPropertyDescriptor;var $a=Object.getOwnPropertyNames;var Ja=Object.prototype.hasOwnProperty;var Dl=(e,l)=>{for(var t in l)Ss(e,t,{get:l[t],enumerable:!0})},Za=(e,l,t,n)=>{if(l&&typeof l=="object"||typeof l=="function")for(let s of $a(l))!Ja.call(e,s)&&s!==t&&Ss(e,s,{get:()=>l[s],enumerable:!(n=Ya(l,s))||n.enumerable});return e};var Qa=e=>Za(Ss({},"__esModule",{value:!0}),e);var Rf={};Dl(Rf,{"@tanstack/virtual-core":()=>Ms,preact:()=>zs,"preact/hooks":()=>Vs,"preact/jsx-runtime":()=>Hs,uplot:()=>Si});var Ms={};Dl(Ms,{Virtualizer:()=>xs,_resetIOSDetectionForTests:()=>no,approxEqual:()=>Tt,debounce:()=>ys,defaultKeyExtractor:()=>ro,defaultRangeExtractor:()=>ao,elementScroll:()=>ru,measureElement:()=>co,memo:()=>jt,notUndefined:()=>Mn,observeElementOffset:()=>su,observeElementRect:()=>tu,observeWindowOffset:()=>iu,observeWindowRect:()=>lu,windowScroll:()=>ou});function Ji(e){return typeof e=="object"?e.key:e}function Zi(e,l){let t=e.length;return new Proxy(e,{get(n,s,i){if(typeof s=="string"){let r=s.charCodeAt(0);if(r>=48&&r<=57){let u=+s;if(Number.isInteger(u)&&u>=0&&u<t){let f=n[u];if(typeof f!="object"){let d=l[u*2];f=n[u]={index:u,key:f,start:d,size:l[u*2+1],end:d+l[u*2+1],lane:0}}return f}}if(s==="length")return t}return Reflect.get(n,s,i)}})}function jt(e,l,t){let n=t.initialDeps??[],s,i=!0;function r(){var u;let d=0,_=e();if(!(_.length!==n.length||_.some((m,w)=>n[w]!==m)))return s;n=_;let v=0;return s=l(..._),t?.onChange&&!(i&&t.skipInitialOnChange)&&t.onChange(s),i=!1,s}return r.updateDeps=u=>{n=u},r}function Mn(e,l){if(e===void 0)throw new Error(`Unexpected undefined${l?`: ${l}`:""}`);return e}var Tt=(e,l)=>Math.abs(e-l)<1.01,ys=(e,l,t)=>{let n;return Object.assign(function(...s){e.clearTimeout(n),n=e.setTimeout(()=>l.apply(this,s),t)},{cancel:()=>{e.clearTimeout(n)}})};function Qi({offset:e,isScrolling:l,elementMax:t,holdOffset:n,scrollOffset:s,pendingWrite:i,clampedMaxAtWrite:r}){var u;return l&&i===null&&e===s?"spurious":i!==null&&Math.abs(e-i.target)<1.5?"readBack":i!==null&&!i.smooth&&t!==null&&i.target>t+n+.5&&Math.abs(e-(t+n))<1.5||i!==null&&!i.smooth&&((u=i.lowMaxes)!=null&&u.some(f=>Math.abs(e-f)<1.5))?"clampedReadBack":r!==null&&Math.abs(e-r)<1.5?"clampedEcho":"external"}var Xa=e=>e==="smooth"||e==="smoothFinishing";function Xi({kind:e,offset:l,command:t,target:n}){return e!=="spurious"&&e!=="readBack"&&e!=="clampedReadBack"&&t?.index!=null&&t.phase!=="queued"&&!Xa(t.phase)&&!Tt(l,t.lastTargetOffset)&&!Tt(l,n())&&e!=="clampedEcho"}var ws=40;function eo(e){let l=e[e.length-1];if(l===void 0)return!1;let t=e.length-2;for(;t>=0&&l.t-e[t].t<ws;)t--;if(t<0)return!1;let n=e[t],s=t-1;for(;s>=0&&n.t-e[s].t<ws;)s--;if(s<0)return!1;let i=e[s],r=(l.offset-n.offset)/(l.t-n.t),u=(n.offset-i.offset)/(n.t-i.t);return r*u>=0&&Math.abs(r)>=2*Math.abs(u)&&Math.abs(r)-Math.abs(u)>=.8}function to(e){let l=e[e.length-1];if(l===void 0)return!1;let t=e.length-2;for(;t>=0&&l.t-e[t].t<ws;)t--;if(t<0)return!1;let n=e[t];return Math.abs(l.offset-n.offset)/(l.t-n.t)>=.05}var Il,tn=()=>{if(Il!==void 0)return Il;if(typeof navigator>"u")return Il=!1;if(/iP(hone|od|ad)/.test(navigator.userAgent))return Il=!0;let e=navigator.maxTouchPoints;return Il=navigator.platform==="MacIntel"&&e!==void 0&&e>0},En,eu=()=>En!==void 0?En:En=tn()&&typeof CSS<"u"&&typeof CSS.supports=="function"&&CSS.supports("overflow-anchor: auto"),lo=()=>!tn()||eu(),no=()=>{Il=void 0,En=void 0},Pl={capture:!0,passive:!0},kn=class{constructor(l){this.host=l,this._touch=null,this.inMotion=()=>this._touch!==null&&this._touch.phase!=="lateFling",this.dragging=()=>{var t;return((t=this._touch)==null?void 0:t.phase)==="down"&&this._touch.moved},this.tail=()=>{var t;return((t=this._touch)==null?void 0:t.phase)==="tail"?this._touch.moved?"fling":"tap":null},this.onScroll=({isScrolling:t,ownReadBack:n,moved:s,external:i})=>{var r,u,f;return t&&((r=this._touch)==null?void 0:r.phase)==="tail"?this._openTail(this._touch.moved||!n,!1):((u=this._touch)==null?void 0:u.phase)==="lateFling"&&(this.host.now()>this._touch.until?this._touch=null:i&&t&&s&&this._openTail(!0,!1)),!n&&t&&s&&((f=this._touch)==null?void 0:f.phase)==="down"?(this._touch.moved=!0,!0):!1},this.touchStart=()=>{this.end(),this._touch={phase:"down",moved:!1}},this.touchEnd=()=>{var t;let n=((t=this._touch)==null?void 0:t.phase)==="down"&&this._touch.moved;this.end(),this._openTail(n,n)},this.end=()=>{var t;let n=this.host.getWindow();((t=this._touch)==null?void 0:t.phase)==="tail"&&n!=null&&n.clearTimeout(this._touch.timerId),this._touch=null},this.listen=t=>{let n=()=>this.touchStart(),s=()=>this.touchEnd();return t.addEventListener("touchstart",n,Pl),t.addEventListener("touchend",s,Pl),t.addEventListener("touchcancel",s,Pl),()=>{t.removeEventListener("touchstart",n,Pl),t.removeEventListener("touchend",s,Pl),t.removeEventListener("touchcancel",s,Pl),this.end()}},this._openTail=(t,n)=>{let s=this.host.getWindow();if(s==null)return;this.end();let i={phase:"tail",moved:t,awaitingFling:n,timerId:s.setTimeout(()=>{if(this.host.tailStillMoving()){this._openTail(i.moved,i.awaitingFling);return}this._touch=i.awaitingFling?{phase:"lateFling",until:this.host.now()+1e3}:null,this.host.onTailClosed()},150)};this._touch=i}}get touch(){return this._touch}};var so=e=>{let{clientWidth:l,clientHeight:t}=e;return{width:l,height:t}},oo=e=>{let l=new Set;return{schedule:t=>{let n=e.requestAnimationFrame(()=>{l.delete(n),t()});l.add(n)},cancel:()=>{l.forEach(t=>e.cancelAnimationFrame(t)),l.clear()}}},ro=e=>e,ao=e=>{let l=e.overscan*Math.max(e.lanes??1,1),t=Math.max(e.startIndex-l,0),s=Math.min(e.endIndex+l,e.count-1)-t+1,i=new Array(s);for(let r=0;r<s;r++)i[r]=t+r;return i},tu=(e,l)=>{let t=e.scrollElement;if(!t)return;let n=e.targetWindow;if(!n)return;let s=u=>{let{width:f,height:d}=u;l({width:Math.round(f),height:Math.round(d)})};if(s(so(t)),!n.ResizeObserver)return()=>{};let i=oo(n),r=new n.ResizeObserver(()=>{let u=()=>{s(so(t))};e.options.useAnimationFrameWithResizeObserver?i.schedule(u):u()});return r.observe(t,{box:"content-box"}),()=>{r.unobserve(t),i.cancel()}},bs={passive:!0},lu=(e,l)=>{let t=e.scrollElement;if(!t)return;let n=()=>{l({width:t.innerWidth,height:t.innerHeight})};return n(),t.addEventListener("resize",n,bs),()=>{t.removeEventListener("resize",n)}},nu=typeof window>"u"?!0:"onscrollend"in window,uo=(e,l,t)=>{let n=e.scrollElement;if(!n)return;let s=e.targetWindow;if(!s)return;let i=e.options.useScrollendEvent&&nu,r=0,u=i?null:ys(s,()=>l(t(n),!1),e.options.isScrollingResetDelay),f=p=>()=>{r=t(n),u?.(),l(r,p)},d=f(!0),_=f(!1);return n.addEventListener("scroll",d,bs),i&&n.addEventListener("scrollend",_,bs),()=>{n.removeEventListener("scroll",d),i&&n.removeEventListener("scrollend",_),u?.cancel()}},su=(e,l)=>uo(e,l,t=>{let{horizontal:n,isRtl:s}=e.options;return n?t.scrollLeft*(s&&-1||1):t.scrollTop}),iu=(e,l)=>uo(e,l,t=>e.options.horizontal?t.scrollX:t.scrollY),co=(e,l,t)=>{if(t.options.useCachedMeasurements){let n=t.indexFromElement(e),s=t.options.getItemKey(n);return t.itemSizeCache.get(s)??t.options.estimateSize(n)}if(l?.borderBoxSize){let n=l.borderBoxSize[0];if(n)return Math.round(n[t.options.horizontal?"inlineSize":"blockSize"])}if(!l){let n=t.indexFromElement(e),s=t.options.getItemKey(n),i=t.itemSizeCache.get(s);if(i!==void 0)return i}return e[t.options.horizontal?"offsetWidth":"offsetHeight"]},fo=(e,{adjustments:l=0,behavior:t},n)=>{var s;let{scrollElement:i,options:r}=n,u=e+l,f=r.horizontal&&r.isRtl&&i!==null&&"ownerDocument"in i;(s=i?.scrollTo)==null||s.call(i,{[r.horizontal?"left":"top"]:f?-u:u,behavior:t})},ou=fo,ru=fo,io=(e,l)=>e==="smooth"?l?"smoothLanded":"smooth":"instant",ln=e=>e?.phase==="smooth"||e?.phase==="smoothLanded";function au(e,l,t,n){if(l===0)return!1;let s=n(0),i=new Set,r=0;for(;r<e;){let f=t(r);if(f===s)break;i.add(f),r++}let u=e-r;if(u===0||u>=l)return!1;for(let f=0;f<u;f++)if(n(f)!==t(r+f))return!1;for(let f=u;f<l;f++)if(i.has(n(f)))return!1;return!0}var xs=class{constructor(l){this.unsubs=[],this.scrollElement=null,this.targetWindow=null,this.isScrolling=!1,this.scrollState=null,this.measurementsCache=[],this._singleLaneMeasurements=null,this.itemSizeCache=new Map,this.itemSizeCacheVersion=0,this.laneAssignments=new Map,this.pendingMin=null,this.prevLanes=void 0,this.lanesChangedFlag=!1,this.lanesSettling=!1,this.pendingScrollAnchor=null,this.scrollRect=null,this.scrollOffset=null,this.scrollDirection=null,this._holdOffset=0,this._reportedOverscroll=!1,this._iosGesture=new kn({getWindow:()=>this.targetWindow,now:()=>this.now(),tailStillMoving:()=>{let t=this.scrollState;if(t?.phase!=="queued"||this.pendingWrite!==null)return!1;let n=this._readElementOffset();return n===null||this._lastElementOffset===null||Math.abs(n-this._lastElementOffset)<1?!1:(this._lastElementOffset=n,t.samples=[...t.samples??[],{t:this.now(),offset:n}],!0)},onTailClosed:()=>{let t=this.scrollState;t?.phase==="queued"&&to(t.samples??[])&&(this.scrollState=null),this._flushHoldIfReady(!0),this._writeAwaitingCommand(),this._retryClampedAdjustment()}}),this._lastElementOffset=null,this.pendingWrite=null,this._clampedAdjustment=null,this.elementsCache=new Map,this._resizeBatch=null,this.now=()=>{var t,n,s;return((s=(n=(t=this.targetWindow)==null?void 0:t.performance)==null?void 0:n.now)==null?void 0:s.call(n))??Date.now()},this.observer=(()=>{let t=null,n=null,s=!1,i=!1,r=new Set,u=()=>{if(t)return t;let d=this.targetWindow;if(!d||!d.ResizeObserver)return null;let _=n=oo(d);return t=new d.ResizeObserver(p=>{let v=()=>{let m={sync:!1};this._resizeBatch=m;try{p.forEach(f)}finally{this._resizeBatch=null,m.notify&&(this.notify(m.sync),this._noteClampMax(),this._flushHoldIfReady(!0),this._retryClampedAdjustment(),this.measureElement(null))}};if(this.options.useAnimationFrameWithResizeObserver)_.schedule(v);else{s=!0;try{v()}finally{s=!1}}})},f=d=>{let _=d.target,p=this.indexFromElement(_);if(!_.isConnected){this.observer.unobserve(_);for(let[v,m]of this.elementsCache)if(m===_){this.elementsCache.delete(v);break}return}this.isIndexInRange(p)&&this.shouldMeasureDuringScroll(p)&&this.resizeItem(p,this.options.measureElement(_,d,this))};return{disconnect:()=>{var d;(d=u())==null||d.disconnect(),n?.cancel(),r.clear(),i=!1,t=null,n=null},observe:d=>{let _=u();if(_){if(!s){_.observe(d,{box:"border-box"});return}r.add(d),i||(i=!0,n?.schedule(()=>{i=!1,r.forEach(p=>{p.isConnected&&t?.observe(p,{box:"border-box"})}),r.clear()}))}},unobserve:d=>{var _;r.delete(d),(_=u())==null||_.unobserve(d)}}})(),this.range=null,this.setOptions=t=>{var n;let s={debug:!1,initialOffset:0,overscan:1,paddingStart:0,paddingEnd:0,scrollPaddingStart:0,scrollPaddingEnd:0,horizontal:!1,getItemKey:ro,rangeExtractor:ao,onChange:()=>{},measureElement:co,initialRect:{width:0,height:0},scrollMargin:0,gap:0,indexAttribute:"data-index",initialMeasurementsCache:[],lanes:1,anchorTo:"start",followOnAppend:!1,scrollEndThreshold:1,isScrollingResetDelay:150,enabled:!0,isRtl:!1,useScrollendEvent:!1,useAnimationFrameWithResizeObserver:!1,laneAssignmentMode:"estimate",useCachedMeasurements:!1};for(let _ in t){let p=t[_];p!==void 0&&(s[_]=p)}let i=this.options,r=null,u=null,f=!1;if(i!==void 0&&i.enabled&&s.enabled&&s.anchorTo==="end"&&this.scrollElement!==null){let _=i.count,p=s.count,v=this.getMeasurements(),m=((n=this._singleLaneMeasurements)==null?void 0:n.items)??v,w=M=>Ji(m[M]),k=_>0?w(0):null,O=_>0?w(_-1):null;if(p!==_||_>0&&p>0&&(s.getItemKey(0)!==k||s.getItemKey(p-1)!==O)){f=!0;let M=_>0?this.getVirtualItemForOffset(this.getScrollOffset())??v[0]:null;M&&(r=[M.key,this.getScrollOffset()-M.start]);let x=s.followOnAppend===!0?"auto":s.followOnAppend||null;x&&p>0&&this.isAtEnd(i.scrollEndThreshold)&&(_===0||s.getItemKey(p-1)!==O)&&(p>_||au(_,p,w,s.getItemKey))&&(u=x)}}this.options=s,f&&(this.pendingMin=0,this.itemSizeCacheVersion++);let d=null;if(r&&this.scrollOffset!==null&&!this._awaitingCommandReadBack()){let[_,p]=r,v=this.getMeasurements(),{count:m,getItemKey:w}=this.options,k=0;for(;k<m&&w(k)!==_;)k++;if(k<m){let O=v[k];if(O){let A=Math.max(0,O.start+p);!u&&A!==this.scrollOffset&&(d=A-this.scrollOffset,this.scrollOffset=A)}}}u?this.pendingScrollAnchor={kind:"follow",behavior:u}:d!==null&&(this._canWriteScroll()?this.pendingScrollAnchor={kind:"anchor",delta:d}:(this._holdOffset+=d,this._followOffsetTarget(d)))},this.notify=t=>{var n,s;(s=(n=this.options).onChange)==null||s.call(n,this,t)},this.maybeNotify=jt(()=>(this.calculateRange(),[this.isScrolling,this.range?this.range.startIndex:null,this.range?this.range.endIndex:null]),t=>{this.notify(t)},{key:!1,debug:()=>this.options.debug,initialDeps:[this.isScrolling,this.range?this.range.startIndex:null,this.range?this.range.endIndex:null]}),this.cleanup=()=>{var t;this.unsubs.filter(Boolean).forEach(n=>n()),this.unsubs=[],this.observer.disconnect(),this.rafId!=null&&this.targetWindow&&(this.targetWindow.cancelAnimationFrame(this.rafId),this.rafId=null),this.scrollState=null,(t=this._momentumStop)==null||t.restore(),this._momentumStop=null,this.isScrolling=!1,this.scrollDirection=null,this._holdOffset=0,this._reportedOverscroll=!1,this._clampedAdjustment=null,this.pendingWrite=null,this.scrollElement=null,this.targetWindow=null},this._didMount=()=>()=>{this.cleanup()},this._willUpdate=()=>{var t;let n=this.options.enabled?this.options.getScrollElement():null;if(this.scrollElement!==n){if(this.cleanup(),!n){this.maybeNotify();return}this.scrollElement=n,this.scrollElement&&"ownerDocument"in this.scrollElement?this.targetWindow=this.scrollElement.ownerDocument.defaultView:this.targetWindow=((t=this.scrollElement)==null?void 0:t.window)??null,this.elementsCache.forEach(i=>{this.observer.observe(i)}),this.unsubs.push(this.options.observeElementRect(this,i=>{this.scrollRect=i,this.maybeNotify()})),this.unsubs.push(this.options.observeElementOffset(this,(i,r)=>{var u,f,d,_;let p=r?this._elementMaxScrollOffset():null,v=this._reportedOverscroll;this._reportedOverscroll=i<0||p!==null&&i>p+1;let m=i;this._lastElementOffset=m,i=this._toLayoutOffset(i);let w=this._classifyScrollEvent(i,r,p);if(w==="spurious")return;w==="readBack"?i=this.pendingWrite.target:w==="clampedReadBack"&&((u=this.scrollState)==null?void 0:u.index)!=null&&i<this.getMaxScrollOffset()-1.5?this.scrollState.lastTargetOffset=i:Xi({kind:w,offset:i,command:this.scrollState,target:()=>this.getScrollStateTarget(this.scrollState)})&&(this.scrollState=null),this.pendingWrite=null,this._clampedAdjustment!==null&&Math.abs(i-this._clampedAdjustment.maxAtWrite)>=1.5&&(this._clampedAdjustment=null);let k=this.getScrollOffset(),O=this.scrollDirection;this.scrollDirection=r?k===i?this.scrollDirection:k<i?"forward":"backward":null,this.scrollOffset=i,this.isScrolling=r;let A=this.scrollState;if(A?.phase==="queued"&&w==="external"&&r)if(v||this._reportedOverscroll)A.samples=[];else{let y=this.now();A.samples=[...(A.samples??[]).filter(M=>y-M.t<=200),{t:y,offset:m}],(O!==null&&this.scrollDirection!==O||eo(A.samples))&&(this.scrollState=null)}this._iosGesture.onScroll({isScrolling:r,ownReadBack:w==="readBack",moved:i!==k,external:w==="external"&&((f=this.scrollState)==null?void 0:f.phase)!=="smooth"&&((d=this.scrollState)==null?void 0:d.phase)!=="smoothFinishing"})&&((_=this.scrollState)==null?void 0:_.phase)==="queued"&&(this.scrollState=null),this._flushHoldIfReady(!0),this.scrollState&&this.scheduleScrollReconcile(),this.maybeNotify()})),"addEventListener"in this.scrollElement&&this.unsubs.push(this._iosGesture.listen(this.scrollElement)),this._scrollToOffset(this.getScrollOffset())}this._noteClampMax();let s=this.pendingScrollAnchor;this.pendingScrollAnchor=null,s&&this.scrollElement&&this.options.enabled&&(s.kind==="anchor"?this._canWriteScroll()?ln(this.scrollState)&&!Tt(this.getScrollOffset()-s.delta,this.scrollState.lastTargetOffset)||(this._followOffsetTarget(s.delta),this._scrollToOffset(this.getScrollOffset())):(this._holdOffset+=s.delta,this._followOffsetTarget(s.delta),this.notify(!1)):this.scrollToEnd({behavior:s.behavior})),this._flushHoldIfReady(!1),this._retryClampedAdjustment()},this._classifyScrollEvent=(t,n,s)=>{var i;return Qi({offset:t,isScrolling:n,elementMax:s,holdOffset:this._holdOffset,scrollOffset:this.scrollOffset,pendingWrite:this.pendingWrite,clampedMaxAtWrite:((i=this._clampedAdjustment)==null?void 0:i.maxAtWrite)??null})},this._retryClampedAdjustment=()=>{if(this._clampedAdjustment===null||!this.scrollElement||!this.options.enabled||!this._canWriteScroll())return;let{target:t,maxAtWrite:n}=this._clampedAdjustment,s=this.getMaxScrollOffset();s>n+.5&&(this._clampedAdjustment=t>s+.5?{target:t,maxAtWrite:s}:null,this._scrollToOffset(t))},this._writeAwaitingCommand=()=>{let t=this.scrollState;if(t===null||t.phase!=="queued")return;let{behavior:n}=t;this.getMeasurements();let s=this.getScrollStateTarget(t);t.lastTargetOffset=s,this._clampedAdjustment=null,t.phase=io(n,t.index!=null&&Tt(s,this.getScrollOffset())),this._scrollToOffset(s,{behavior:n}),this.scheduleScrollReconcile()},this._readElementOffset=()=>{let t=this.scrollElement;if(t==null)return null;let{horizontal:n,isRtl:s}=this.options;return typeof t.scrollTop=="number"?n?t.scrollLeft*(s&&-1||1):t.scrollTop:typeof t.scrollY=="number"?n?t.scrollX:t.scrollY:null},this._canWriteScroll=()=>!(tn()&&this._iosGesture.inMotion())&&!this._reportedOverscroll,this._flushHoldIfReady=t=>{var n;if(this._holdOffset===0||!this.scrollElement||!this.options.enabled||!this._canWriteScroll()||((n=this.scrollState)==null?void 0:n.phase)==="smooth")return;this._holdOffset=0,this.scrollOffset!==null&&this.scrollOffset<0&&(this.scrollOffset=0),this.notify(t);let s=this.getCommandWrittenOffset()??this.getScrollOffset();this._clampedAdjustment=this._clampedBy(s),this._scrollToOffset(s)},this.rafId=null,this.getSize=()=>this.options.enabled?(this.scrollRect=this.scrollRect??this.options.initialRect,this.scrollRect[this.options.horizontal?"width":"height"]):(this.scrollRect=null,0),this.getScrollOffset=()=>this.options.enabled?(this.scrollOffset=this.scrollOffset??(typeof this.options.initialOffset=="function"?this.options.initialOffset():this.options.initialOffset),this.scrollOffset):(this.scrollOffset=null,0),this.getMeasurementOptions=jt(()=>[this.options.count,this.options.paddingStart,this.options.scrollMargin,this.options.getItemKey,this.options.enabled,this.options.lanes,this.options.laneAssignmentMode,this.options.gap],(t,n,s,i,r,u,f,d)=>(this.prevLanes!==void 0&&this.prevLanes!==u&&(this.lanesChangedFlag=!0),this.prevLanes=u,this.pendingMin=null,{count:t,paddingStart:n,scrollMargin:s,getItemKey:i,enabled:r,lanes:u,laneAssignmentMode:f,gap:d}),{key:!1}),this.isIndexInRange=t=>t>=0&&t<this.options.count,this.getMeasurements=jt(()=>[this.getMeasurementOptions(),this.itemSizeCacheVersion],({count:t,paddingStart:n,scrollMargin:s,getItemKey:i,enabled:r,lanes:u,laneAssignmentMode:f,gap:d},_)=>{var p;let v=this.itemSizeCache;if(!r)return this.measurementsCache=[],this._singleLaneMeasurements=null,this.itemSizeCache.clear(),this.laneAssignments.clear(),[];if(this.laneAssignments.size>t)for(let y of this.laneAssignments.keys())y>=t&&this.laneAssignments.delete(y);this.lanesChangedFlag&&(this.lanesChangedFlag=!1,this.lanesSettling=!0,this.measurementsCache=[],this._singleLaneMeasurements=null,this.itemSizeCache.clear(),this.laneAssignments.clear(),this.pendingMin=null),this.measurementsCache.length===0&&!this.lanesSettling&&(this.measurementsCache=this.options.initialMeasurementsCache,this.measurementsCache.forEach(y=>{this.itemSizeCache.set(y.key,y.size)}));let m=this.lanesSettling?0:this.pendingMin??0;if(this.pendingMin=null,this.lanesSettling&&this.measurementsCache.length===t&&(this.lanesSettling=!1),u===1){let y=t*2,M=(p=this._singleLaneMeasurements)==null?void 0:p.flat;if(!M||M.length<y){let F=new Float64Array(y);M&&m>0&&F.set(M.subarray(0,m*2)),M=F}let x=m===0?new Array(t):this._singleLaneMeasurements.items.slice(),W;if(m===0)W=n+s;else{let F=m-1;W=M[F*2]+M[F*2+1]+d}for(let F=m;F<t;F++){let G=i(F);x[F]=G;let Y=v.get(G),V=typeof Y=="number"?Y:this.options.estimateSize(F);M[F*2]=W,M[F*2+1]=V,W+=V+d}this._singleLaneMeasurements={flat:M,items:x};let L=Zi(x,M);return this.measurementsCache=L,L}let w=this.measurementsCache.slice(0,m),k=new Array(u).fill(void 0),O=new Float64Array(u),A=0;for(let y=0;y<m;y++){let M=w[y];M&&(k[M.lane]===void 0&&A++,k[M.lane]=y,O[M.lane]=M.end)}for(let y=m;y<t;y++){let M=i(y),x=this.laneAssignments.get(y),W,L,F=f==="estimate"||v.has(M);if(x!==void 0&&this.options.lanes>1){W=x;let T=k[W],N=T!==void 0?w[T]:void 0;L=N?N.end+d:n+s}else if(A===u){let T=0,N=O[0],z=k[0];for(let K=1;K<u;K++){let H=O[K];(H<N||H===N&&k[K]<z)&&(T=K,N=H,z=k[K])}W=T,L=N+d,F&&this.laneAssignments.set(y,W)}else W=y%this.options.lanes,L=n+s,F&&this.laneAssignments.set(y,W);let G=v.get(M),Y=typeof G=="number"?G:this.options.estimateSize(y),V=L+Y;w[y]={index:y,start:L,size:Y,end:V,key:M,lane:W},k[W]===void 0&&A++,k[W]=y,O[W]=V}return this.measurementsCache=w,w},{key:!1,debug:()=>this.options.debug}),this.calculateRange=jt(()=>[this.getMeasurements(),this.getSize(),this.getScrollOffset(),this.options.lanes,this._getLayoutTotalSize()+this.options.scrollMargin],(t,n,s,i,r)=>{if(t.length===0||n===0)return this.range=null,null;let u=Math.max(r-n,0);return this.range=cu(t,n,Math.min(s,u),i,i===1&&this._singleLaneMeasurements!==null?this._singleLaneMeasurements.flat:null),this.range},{key:!1,debug:()=>this.options.debug}),this.getVirtualIndexes=jt(()=>{let t=null,n=null,s=this.calculateRange();return s&&(t=s.startIndex,n=s.endIndex),this.maybeNotify.updateDeps([this.isScrolling,t,n]),[this.options.rangeExtractor,this.options.overscan,this.options.count,t,n,this.options.lanes]},(t,n,s,i,r,u)=>i===null||r===null?[]:t({startIndex:i,endIndex:r,overscan:n,count:s,lanes:u}),{key:!1,debug:()=>this.options.debug}),this.indexFromElement=t=>{let n=this.options.indexAttribute,s=t.getAttribute(n);return s?parseInt(s,10):(console.warn(`Missing attribute name '${n}={index}' on measured element.`),-1)},this.shouldMeasureDuringScroll=t=>{var n;if(!ln(this.scrollState))return!0;let s=this.scrollState.index??((n=this.getVirtualItemForOffset(this.scrollState.lastTargetOffset))==null?void 0:n.index);if(s!==void 0&&this.range){let i=Math.max(this.options.overscan,Math.ceil((this.range.endIndex-this.range.startIndex)/2)),r=Math.max(0,s-i),u=Math.min(this.options.count-1,s+i);return t>=r&&t<=u}return!0},this.measureElement=t=>{if(!t){this.elementsCache.forEach((r,u)=>{r.isConnected||(this.observer.unobserve(r),this.elementsCache.delete(u))});return}let n=this.indexFromElement(t);if(!this.isIndexInRange(n))return;let s=this.options.getItemKey(n),i=this.elementsCache.get(s);i!==t&&(i&&this.observer.unobserve(i),this.observer.observe(t),this.elementsCache.set(s,t)),t.isConnected&&(!this.isScrolling||this.scrollState)&&this.shouldMeasureDuringScroll(n)&&this.resizeItem(n,this.options.measureElement(t,void 0,this))},this.resizeItem=(t,n)=>{var s,i,r;if(!this.isIndexInRange(t))return;(s=this._resizeBatch)!=null&&s.sync&&this.getMeasurements();let u,f,d,_=(i=this._singleLaneMeasurements)==null?void 0:i.flat;if(this.options.lanes===1&&_!=null)d=this.options.getItemKey(t),f=_[t*2],u=_[t*2+1];else{let m=this.measurementsCache[t];if(!m)return;d=m.key,f=m.start,u=m.size}let p=this.itemSizeCache.get(d)??u,v=n-p;if(v!==0){let m=this.options.anchorTo==="end"&&!ln(this.scrollState)&&this.getVirtualDistanceFromEnd()<=this.options.scrollEndThreshold,w=m?this._getLayoutTotalSize():0,k=this.getScrollOffset(),A=!this.itemSizeCache.has(d)?f<k:f+p<=k&&this.scrollDirection!=="backward",y=!ln(this.scrollState)&&(this.shouldAdjustScrollPositionOnItemSizeChange!==void 0?this.shouldAdjustScrollPositionOnItemSizeChange(this.measurementsCache[t]??{index:t,key:d,start:f,size:u,end:f+u,lane:0},v,this):A);(this.pendingMin===null||t<this.pendingMin)&&(this.pendingMin=t),this.itemSizeCache.set(d,n),this.itemSizeCacheVersion++;let M=!1;if(this._awaitingCommandReadBack()||(m?M=this.applyScrollAdjustment(this._getLayoutTotalSize()-w):y&&(M=this.applyScrollAdjustment(v))),this._resizeBatch){this._resizeBatch.notify=!0,(r=this._resizeBatch).sync||(r.sync=M);return}this.notify(M),this._noteClampMax(),this._flushHoldIfReady(!0),this._retryClampedAdjustment()}},this.getVirtualItems=jt(()=>[this.getVirtualIndexes(),this.getMeasurements(),this._holdOffset],(t,n,s)=>{let i=[];for(let r=0,u=t.length;r<u;r++){let f=t[r],d=n[f];i.push(s===0?d:{...d,start:d.start-s,end:d.end-s})}return i},{key:!1,debug:()=>this.options.debug}),this.getVirtualItemForOffset=t=>{var n;let s=this.getMeasurements();if(s.length===0)return;let i=(n=this._singleLaneMeasurements)==null?void 0:n.flat,r=this.options.lanes===1&&i!=null,u=ho(0,s.length-1,r?f=>i[f*2]:f=>Mn(s[f]).start,t);return Mn(s[u])},this._noteClampMax=()=>{if(!this._awaitingCommandReadBack())return;let t=this._elementMaxScrollOffset();if(t===null)return;let n=this.pendingWrite,s=Math.max(t,0)+this._holdOffset;if(s>=n.target)return;let i=n.lowMaxes??(n.lowMaxes=[]);i[i.length-1]!==s&&i.push(s)},this.getMaxScrollOffset=()=>(this._elementMaxScrollOffset()??0)+this._holdOffset,this._toLayoutOffset=t=>{var n;let s=t+this._holdOffset;return((n=this.pendingScrollAnchor)==null?void 0:n.kind)==="anchor"&&(s+=this.pendingScrollAnchor.delta),s},this._elementMaxScrollOffset=()=>{let t=this.scrollElement;if(t===null)return null;if("scrollHeight"in t)return this.options.horizontal?t.scrollWidth-t.clientWidth:t.scrollHeight-t.clientHeight;if("document"in t){let n=t.document.documentElement;return this.options.horizontal?n.scrollWidth-t.innerWidth:n.scrollHeight-t.innerHeight}return null},this._momentumStop=null,this._stopMomentum=t=>{let n=this.scrollElement,s=this.targetWindow;if(n===null||s===null)return;let i="document"in n?n.document.scrollingElement:n;if(!i?.style)return;if(this._momentumStop){this._momentumStop.done=t;return}let{style:r}=i,u=this.options.horizontal?"overflow-x":"overflow-y",f=r.getPropertyValue(u),d=r.getPropertyPriority(u),_=()=>this.options.horizontal?i.clientHeight:i.clientWidth,p=_();if(r.setProperty(u,"hidden","important"),_()!==p){r.setProperty(u,f,d);return}let v={restore:()=>r.getPropertyValue(u)!=="hidden"||r.getPropertyPriority(u)!=="important"?!1:(r.setProperty(u,f,d),!0),done:t};this._momentumStop=v,s.requestAnimationFrame(()=>s.requestAnimationFrame(()=>{this._momentumStop===v&&(this._momentumStop=null,v.restore()&&v.done())}))},this._clampedBy=t=>{let n=this._elementMaxScrollOffset();if(n===null)return null;let s=n+this._holdOffset;return t>s+.5?{target:t,maxAtWrite:s}:null},this.getVirtualDistanceFromEnd=()=>Math.max(this._getLayoutTotalSize()+this.options.scrollMargin-this.getSize()-this.getScrollOffset(),0),this.getDistanceFromEnd=()=>Math.max(this.getMaxScrollOffset()-this.getScrollOffset(),0),this.isAtEnd=(t=this.options.scrollEndThreshold)=>this.getDistanceFromEnd()<=t,this.getOffsetForAlignment=(t,n,s=0)=>{if(!this.scrollElement)return 0;let i=this.getSize(),r=this.getScrollOffset();n==="auto"&&(n=t>=r+i?"end":"start"),n==="center"?t+=(s-i)/2:n==="end"&&(t-=i);let u=this.getMaxScrollOffset();return Math.max(Math.min(u,t),0)},this.getOffsetForIndex=(t,n="auto")=>{t=Math.max(0,Math.min(t,this.options.count-1));let s=this.getSize(),i=this.getScrollOffset(),r=this.getMeasurements()[t];if(!r)return;if(n==="auto")if(r.end>=i+s-this.options.scrollPaddingEnd)n="end";else if(r.start<=i+this.options.scrollPaddingStart)n="start";else return[i,n];if(n==="end"&&t===this.options.count-1){let f=this.getMaxScrollOffset(),d=f-this.options.paddingEnd+this.options.scrollPaddingEnd;return[Math.max(Math.min(d,f),0),n]}let u=n==="end"?r.end+this.options.scrollPaddingEnd:r.start-this.options.scrollPaddingStart;return[this.getOffsetForAlignment(u,n,r.size),n]},this.scrollToOffset=(t,{align:n="start",behavior:s="auto"}={})=>{this._startScroll({index:null,align:n},this.getOffsetForAlignment(t,n),s,"absolute")},this.scrollToIndex=(t,{align:n="auto",behavior:s="auto"}={})=>{t=Math.max(0,Math.min(t,this.options.count-1));let i=this.getOffsetForIndex(t,n);if(!i)return;let[r,u]=i;this._startScroll({index:t,align:u},r,s,"absolute")},this.scrollBy=(t,{behavior:n="auto"}={})=>{let s=this.getOffsetForAlignment((this.getCommandWrittenOffset()??this.getScrollOffset())+t,"start");this._startScroll({index:null,align:"start"},s,n,"relative")},this.scrollToEnd=({behavior:t="auto"}={})=>{if(this.options.count>0){this._startScroll({index:this.options.count-1,align:"end",toEnd:!0},Math.max(this.getMaxScrollOffset(),0),t,"absolute");return}this.scrollToOffset(Math.max(this.getTotalSize()-this.getSize(),0),{behavior:t})},this.cancelScroll=()=>{this.rafId!=null&&this.targetWindow&&(this.targetWindow.cancelAnimationFrame(this.rafId),this.rafId=null),this.scrollState=null},this.getTotalSize=()=>Math.max(this._getLayoutTotalSize()-this._holdOffset,0),this._getLayoutTotalSize=()=>{var t,n;let s=this.getMeasurements(),i;if(s.length===0)i=this.options.paddingStart;else if(this.options.lanes===1){let r=s.length-1,u=(t=this._singleLaneMeasurements)==null?void 0:t.flat;u!=null?i=u[r*2]+u[r*2+1]:i=((n=s[r])==null?void 0:n.end)??0}else{let r=Array(this.options.lanes).fill(null),u=s.length-1;for(;u>=0&&r.some(f=>f===null);){let f=s[u];r[f.lane]===null&&(r[f.lane]=f.end),u--}i=Math.max(...r.filter(f=>f!==null))}return Math.max(i-this.options.scrollMargin+this.options.paddingEnd,0)},this.takeSnapshot=()=>{let t=[];if(this.itemSizeCache.size===0)return t;let n=this.getMeasurements();for(let s of n)s&&this.itemSizeCache.has(s.key)&&t.push({index:s.index,key:s.key,start:s.start,size:s.size,end:s.end,lane:s.lane});return t},this._scrollToOffset=(t,{adjustments:n,behavior:s}={})=>{let i={target:t+(n??0),smooth:s==="smooth"};return this.pendingWrite=i,this.options.scrollToFn(t-this._holdOffset,{behavior:s,adjustments:n},this),i},this.getCommandWrittenOffset=()=>this.scrollState!==null&&this.pendingWrite!==null&&!this.pendingWrite.smooth?this.pendingWrite.target:null,this._awaitingCommandReadBack=()=>{let t=this.getCommandWrittenOffset();return!(tn()&&this._iosGesture.dragging())&&t!==null&&!Tt(t,this.getScrollOffset())},this._followOffsetTarget=t=>{this.scrollState!==null&&this.scrollState.index==null&&(this.scrollState.lastTargetOffset+=t)},this.measure=()=>{this.pendingMin=null,this.itemSizeCache.clear(),this.laneAssignments.clear(),this.itemSizeCacheVersion++,this.notify(!1)},this.setOptions(l)}get scrollAdjustments(){return 0}applyScrollAdjustment(l,t){if(l===0)return!1;if(this._followOffsetTarget(l),this._canWriteScroll()){let n=this.getScrollOffset();this._clampedAdjustment=this._clampedBy(n+l);let s=this._scrollToOffset(n,{adjustments:l,behavior:t});return this.scrollOffset!==null&&(this.pendingWrite===s&&(this.scrollOffset+=l),this.scrollOffset<0&&(this.scrollOffset=0)),!0}else return this._holdOffset+=l,this.scrollOffset!==null&&(this.scrollOffset+=l),!0}scheduleScrollReconcile(){if(!this.targetWindow){this.scrollState=null;return}this.rafId==null&&(this.rafId=this.targetWindow.requestAnimationFrame(()=>{this.rafId=null,this.reconcileScroll()}))}getScrollStateTarget(l){let t=l.toEnd?[Math.max(this.getMaxScrollOffset(),0)]:l.index!=null?this.getOffsetForIndex(l.index,l.align):void 0;return t?t[0]:l.lastTargetOffset}reconcileScroll(){if(!this.scrollState||!this.scrollElement)return;if(this.now()-this.scrollState.startedAt>5e3){this.scrollState=null;return}if(this.scrollState.phase==="queued"){this.scheduleScrollReconcile();return}this.getMeasurements();let n=this.getScrollStateTarget(this.scrollState),s=this.scrollState.index==null?1:this.options.useAnimationFrameWithResizeObserver?3:2,i=n!==this.scrollState.lastTargetOffset;if(!i&&Tt(n,this.getScrollOffset())){if(this.scrollState.phase==="smooth"?this.scrollState.phase="smoothLanded":this.scrollState.phase==="smoothFinishing"&&(this.scrollState.phase="instant"),this.scrollState.stableFrames++,this.scrollState.stableFrames>=s){this.getScrollOffset()!==n&&this._scrollToOffset(n,{behavior:"auto"}),this.scrollState=null;return}}else if(this.scrollState.stableFrames=0,i){let r=this.getSize()||600,u=Math.abs(n-this.getScrollOffset()),f=ln(this.scrollState)&&u>r;this.scrollState.lastTargetOffset=n,f?this.scrollState.phase="smooth":this.scrollState.phase==="smooth"?this.scrollState.phase="smoothFinishing":this.scrollState.phase==="smoothLanded"&&(this.scrollState.phase="instant"),this._scrollToOffset(n,{behavior:f?"smooth":"auto"})}this.scheduleScrollReconcile()}_startScroll(l,t,n,s){this.pendingScrollAnchor=null,this._clampedAdjustment=null;let i=this._iosGesture.tail();if(s==="absolute"&&i!==null){if(i==="fling"&&lo()){this._stopMomentum(()=>{let r=this.scrollState;r?.phase!=="queued"||this._iosGesture.tail()!=="fling"||this._reportedOverscroll||(this._iosGesture.end(),this._flushHoldIfReady(!0),this._writeAwaitingCommand())}),this.scrollState={...l,startedAt:this.now(),lastTargetOffset:t,stableFrames:0,phase:"queued",behavior:n,samples:[]},this.scheduleScrollReconcile();return}this._iosGesture.end()}this.scrollState={...l,startedAt:this.now(),lastTargetOffset:t,stableFrames:0,behavior:n,phase:io(n,l.index!=null&&Tt(t,this.getScrollOffset()))},this._scrollToOffset(t,{behavior:n}),this.scheduleScrollReconcile()}},ho=(e,l,t,n)=>{for(;e<=l;){let s=(e+l)/2|0,i=t(s);if(i<n)e=s+1;else if(i>n)l=s-1;else return s}return e>0?e-1:0};function uu(e,l,t){let n=0;for(;n<=l;){let s=(n+l)/2|0,i=e[s*2];if(i<t)n=s+1;else if(i>t)l=s-1;else return s}return n>0?n-1:0}function cu(e,l,t,n,s){let i=e.length-1;if(e.length<=n)return{startIndex:0,endIndex:i};if(n===1&&s!==null){let d=uu(s,i,t),_=d,p=t+l;for(;_<i&&s[_*2]+s[_*2+1]<p;)_++;return{startIndex:d,endIndex:_}}let u=ho(0,i,d=>e[d].start,t),f=u;if(n===1)for(;f<i&&e[f].end<t+l;)f++;else if(n>1){let d=Array(n).fill(0);for(;f<i&&d.some(p=>p<t+l);){let p=e[f];d[p.lane]=p.end,f++}let _=Array(n).fill(t+l);for(;u>=0&&_.some(p=>p>=t);){let p=e[u];_[p.lane]=p.start,u--}u=Math.max(0,u-u%n),f=Math.min(i,f+(n-1-f%n))}return{startIndex:u,endIndex:f}}var zs={};Dl(zs,{Component:()=>nn,Fragment:()=>Dt,cloneElement:()=>du,createContext:()=>bu,createElement:()=>hu,createPortal:()=>Mu,createRef:()=>_u,h:()=>hu,hydrate:()=>wu,isValidElement:()=>mo,options:()=>ne,render:()=>Oo,toChildArray:()=>Mo});var ne,po,mo,Gt,Es,Cn,go,Tn,vo,Ts,ks,So,sn=Symbol.for("pv"),Ln={},zn=[],fu=/^m(i|n|o|s|text|space)$/,Dn=Array.isArray,Pn=zn.slice,Ut=Object.assign;function il(e){e&&e.parentNode&&e.remove()}function hu(e,l,t){var n,s,i,r={},u=arguments.length;for(i in l)i=="key"?n=l[i]:i=="ref"&&typeof e!="function"?s=l[i]:r[i]=l[i];return u>2&&(r.children=u>3?Pn.call(arguments,2):t),ol(e,r,n,s,null)}function du(e,l,t){var n,s,i,r=Ut({},e.props),u=arguments.length;for(i in l)i=="key"?n=l[i]:i=="ref"&&typeof e.type!="function"?s=l[i]:r[i]=l[i];return u>2&&(r.children=u>3?Pn.call(arguments,2):t),ol(e.type,r,n!==void 0?n:e.key,s!==void 0?s:e.ref,null)}function ol(e,l,t,n,s){var i={type:e,props:l,key:t,ref:n,__k:null,__:null,__b:0,__e:null,__c:null,constructor:sn,__v:s||++po,__i:-1,__u:0};return!s&&ne.vnode&&ne.vnode(i),i}function _u(){return{current:null}}function Dt(e){return e.children}function nn(e,l){this.props=e,this.context=l,this.__g=0}function Kt(e,l){if(l==null)return e.__&&Kt(e.__,e.__i+1);for(var t;l<e.__k.length;l++)if((t=e.__k[l])&&t.__e)return t.__e;return typeof e.type!="function"||e.props.__P?null:Kt(e)}function pu(e){var l,t=e.__v,n=t.__e,s=[],i=[],r=e.__P;r&&((l=Ut({constructor:sn},t)).__v=t.__v+1,ne.vnode&&ne.vnode(l),As(r,l,t,e.__n,r.namespaceURI,32&t.__u?[n]:null,s,n||Kt(t),32&t.__u,i),l.__v=t.__v,l.__.__k[l.__i]=l,ko(s,l,i),t.__=t.__e=null,l.__e!=n&&yo(l))}function yo(e){if((e=e.__)&&e.__c&&!e.props.__P)return e.__e=null,e.__k.some(function(l){return l&&(e.__e=l.__e)}),yo(e)}function Os(e){(8&e.__g||(e.__g|=8,Gt.push(e),Cn++))&&Es==ne.debounceRendering||((Es=ne.debounceRendering)||queueMicrotask)(wo)}function wo(){try{for(var e,l=1;Gt.length;)Gt.length>l&&Gt.sort(go),e=Gt.shift(),l=Gt.length,8&e.__g&&pu(e)}finally{(Cn=Gt.length)&&(Es||queueMicrotask)(wo)}}function bo(e,l,t,n,s,i,r,u,f,d,_){var p,v,m,w,k,O,A=n.__k||zn,y=l.length;for(f=mu(t,l,A,f,y),p=0;p<y;p++)(m=t.__k[p])!=null&&(v=~m.__i&&A[m.__i]||Ln,m.__i=p,O=As(e,m,v,s,i,r,u,f,d,_),w=m.__e,(v.ref!=m.ref||8&v.__u)&&(v.ref&&Cs(v.ref,null,m,v),m.ref&&_.push(m.ref,m.__c||w,m)),k=k||w,4&m.__u?(f=xo(m,f,e,!v.__v),v.__e&&(v.__e=null)):typeof m.type=="function"&&O!==void 0?f=O:w&&(f=w.nextSibling),m.__u&=-21);return t.__e=k,f}function mu(e,l,t,n,s){var i,r,u,f,d,_,p,v,m,w=t.length,k=w,O=0,A=0,y=e.__k=Array(s);for(i=0;i<s;i++)(r=l[i])!=null&&typeof r!="boolean"&&typeof r!="function"?(typeof r!="object"||r.constructor===String?r=y[i]=ol(null,r):Dn(r)?r=y[i]=ol(Dt,{children:r}):r.constructor===sn&&r.__b?r=y[i]=ol(r.type,r.props,r.key,r.ref,r.__v):y[i]=r,f=i+O,r.__=e,r.__b=e.__b+1,u=null,~(d=r.__i=gu(r,t,f,k))&&(k--,(u=t[d])&&(u.__u|=2)),u&&u.__v?(r.__u|=16,d==f-1?O--:d==f+1?O++:d!=f&&(d>f?O--:O++,A=1)):(~d||(s>w?O--:s<w&&O++),typeof r.type!="function"&&(r.__u|=4))):y[i]=null;if(A){for(_=[],p=[],i=0;i<s;i++)if((r=y[i])&&16&r.__u){for(O=0,v=_.length;O<v;)_[m=O+v>>1]<r.__i?O=m+1:v=m;_[O]=r.__i,p[i]=O+1}for(O=_.length;i--;)p[i]&&(p[i]==O?O--:y[i].__u|=4)}if(k)for(i=0;i<w;i++)!(u=t[i])||2&u.__u||(u.__e==n&&(n=Kt(u)),Ls(u,u));return n}function xo(e,l,t,n){var s,i,r,u;if(typeof e.type=="function"){if(e.props.__P)return l;if(s=e.__k)for(i=0;i<s.length;i++)s[i]&&(s[i].__=e,l=xo(s[i],l,t,!1));return l}for(l&&!l.parentNode&&(l=Kt(e))&&!l.parentNode&&(l=null),r=e.__e,u=l;u&&u.nodeType==8;)u=u.nextSibling;for(r!=u&&(!n&&t.moveBefore&&r.parentNode?t.moveBefore(r,l):t.insertBefore(r,l||null)),l=r;(l=l&&l.nextSibling)&&l.nodeType==8&&!l.data.startsWith("$s"););return l}function Mo(e,l){return l=l||[],e!=null&&typeof e!="boolean"&&(Dn(e)?e.some(function(t){Mo(t,l)}):l.push(e)),l}function gu(e,l,t,n){var s,i=e.key,r=e.type,u=l[t],f=u&&!(2&u.__u);if(u===null&&i==null||f&&i==u.key&&r==u.type)return t;if(n>(f?1:0)){for(s=t-1;s>=0;s--)if((u=l[s])&&!(2&u.__u)&&i==u.key&&r==u.type)return s;for(s=t+1;s<l.length;s++)if((u=l[s])&&!(2&u.__u)&&i==u.key&&r==u.type)return s}return-1}function _o(e,l,t){t==null&&(t=""),l[0]=="-"?e.setProperty(l,t):e[l]=t}function On(e,l,t,n,s){var i,r;if(l=="style")if(typeof t=="string")e.style.cssText=t;else{if(typeof n=="string"&&(e.style.cssText=n=""),n)for(l in n)t&&l in t||_o(e.style,l);if(t)for(l in t)n&&t[l]==n[l]||_o(e.style,l,t[l])}else if(l[0]=="o"&&l[1]=="n")typeof t!="function"&&(t=null),typeof n!="function"&&(n=null),(e.__e||(e.__e={}))[l]=t,t&&n||(r=ks[l]||(ks[l]=vu(l)),(e.__a||(e.__a={}))[l]=Ts,i=l!=(l=l.replace(vo,"$1")),(l=l.slice(2))[0]<"a"&&(l=l.toLowerCase()),t?e.addEventListener(l,r,i):e.removeEventListener(l,r,i));else{if(s=="http://www.w3.org/2000/svg")l=l.replace(/xlink(H|:h)/,"h").replace(/sName$/,"s");else if(l!="width"&&l!="height"&&l!="href"&&l!="list"&&l!="form"&&l!="tabIndex"&&l!="download"&&l!="rowSpan"&&l!="colSpan"&&l!="role"&&l!="popover"&&l in e)try{return void(e[l]=t??"")}catch{}if(typeof t=="function")return;t==null||t===!1&&l[4]!="-"?e.removeAttribute(l):e.setAttribute(l,l=="popover"&&t==1?"":t)}}function vu(e){return function(l){var t=this.__e;if(t){if(t=t[e],l[Tn]==null)l[Tn]=Ts++;else if(l[Tn]<this.__a[e])return;return t(ne.event?ne.event(l):l)}}}function As(e,l,t,n,s,i,r,u,f,d){var _,p,v,m,w,k,O,A,y,M,x,W,L,F,G,Y,V,T,N=l.type;if(l.constructor!==sn)return null;128&t.__u&&(f=32&t.__u,_=t.__c.__z)&&(l.__u|=f,p=i=[],_.nodeType==8?u=An(_,i):i.push(_),u=i[0]||u),(_=ne.__b)&&_(l);e:if(typeof N=="function"){v=r.length;try{if(A=l.props,y=(_=N.prototype)&&_.render,M=(_=N.contextType)&&n[_.__c],x=_?M?M.props.value:_.__:n,(m=t.__c)?(l.__c=m,2&m.__g&&(m.__g|=1)):(y?l.__c=m=new N(A,x):(l.__c=m=new nn(A,x),m.constructor=N,m.render=yu),M&&M.sub(m),m.state||(m.state={}),m.__n=n,m.__g|=8,m.__h=[],m.__k=[]),y&&(m.__s||(m.__s=m.state),N.getDerivedStateFromProps&&(m.__s==m.state&&(m.__s=Ut({},m.__s)),Ut(m.__s,N.getDerivedStateFromProps(A,m.__s)))),w=m.props,k=m.state,m.__v=l,t.__c){if(A!==w&&y&&!N.getDerivedStateFromProps&&m.componentWillReceiveProps&&m.componentWillReceiveProps(A,x),l.__v==t.__v&&!(8&m.__g)||!(4&m.__g)&&m.shouldComponentUpdate&&m.shouldComponentUpdate(A,m.__s,x)===!1){l.__v!=t.__v&&(m.props=A,m.state=m.__s,m.__g&=-9),l.__e=t.__e,l.__k=t.__k,l.__k.some(function(z){z&&(z.__=l)}),zn.push.apply(m.__h,m.__k),m.__k=[],m.__h.length&&r.push(m),u=Kt(t);break e}m.componentWillUpdate&&m.componentWillUpdate(A,m.__s,x),y&&m.componentDidUpdate&&m.__h.push(function(){m.componentDidUpdate(w,k,O)})}else y&&!N.getDerivedStateFromProps&&m.componentWillMount&&m.componentWillMount(),y&&m.componentDidMount&&m.__h.push(m.componentDidMount);m.context=x,m.props=A,m.__P=e,m.__g&=-5,W=ne.__r,L=y?25:0;do m.__g&=-9,W&&W(l),_=m.render(m.props,m.state=m.__s,m.context);while(8&m.__g&&++L<25);y&&(zn.push.apply(m.__h,m.__k),m.__k=[]),m.state=m.__s,m.getChildContext&&(n=Ut({},n,m.getChildContext())),y&&t.__c&&m.getSnapshotBeforeUpdate&&(O=m.getSnapshotBeforeUpdate(w,k)),F=_&&_.type===Dt&&_.key==null?_.props.children:_,A.__P&&(_=u,s=(e=A.__P).namespaceURI,f=i=null,t.props&&t.props.__P!=e&&(t.__k.some(function(z){z&&Ls(z,z)}),t.__k=null),u=t.__k?Kt(t,0):null),u=bo(e,Dn(F)?F:[F],l,t,n,s,i,r,u,f,d),A.__P&&(l.__e=null,u=_),l.__u&=-161,p&&p.some(il),m.__h.length&&r.push(m),1&m.__g&&(m.__g&=-4)}catch(z){if(r.length=v,l.__v=null,f||i)if(z&&z.then){if(l.__u|=128|f,i){for(~(V=i.indexOf(u||void 0))||(V=i.length);(T=i[V-1])&&T.nodeType==8;)V--;for(;V<i.length;V++)if(T=i[V])if(i[V]=null,G){if(T==Y)break}else{if(T.nodeType!=8)break;T.data.startsWith("$s")&&(Y=An(G=T))}}if(!G){for(;u&&u.nodeType==8&&u.nextSibling;)u=u.nextSibling;G=u}(_=An(G=l.__c.__z||(l.__c.__z=G)))?(l.__e=G,u=_):l.__e=u,u=u&&u.nextSibling}else i&&i.some(il);else l.__e=t.__e;l.__k||(l.__k=t.__k||[]),z&&z.then||Eo(l),ne.__e(z,l,t)}}else u=l.__e=Su(t.__e,l,t,n,s,i,r,f,d,e);return(_=ne.diffed)&&_(l),u}function An(e,l){if(e&&e.nodeType==8&&e.data.startsWith("$s"))for(var t=1;e=e.nextSibling;){if(e.nodeType==8){if(e.data.startsWith("$s"))t++;else if(e.data.startsWith("/$s")&&!--t)return e}l&&l.push(e)}}function Eo(e){e&&(e.__c&&(e.__c.__g|=4),e.__k&&e.__k.some(Eo))}function ko(e,l,t){for(var n=0;n<t.length;)Cs(t[n++],t[n++],t[n++]);ne.__c&&ne.__c(l,e),e.some(function(s){try{e=s.__h,s.__h=[],e.some(function(i){i.call(s)})}catch(i){ne.__e(i,s.__v)}})}function Su(e,l,t,n,s,i,r,u,f,d){var _,p,v,m,w,k,O,A,y=t.props||Ln,M=l.props,x=l.type;if(x=="svg"?s="http://www.w3.org/2000/svg":x=="math"?s="http://www.w3.org/1998/Math/MathML":s||(s="http://www.w3.org/1999/xhtml"),i){for(_=0;_<i.length;_++)if((w=i[_])&&(x?w.localName==x:w.nodeType==3)){e=w,i[_]=null;break}}if(!e){if(A=d.ownerDocument||document,!x)return A.createTextNode(M);e=A.createElementNS(s,x,M.is?M:d),u&&(ne.__m&&ne.__m(l,i),u=!1),i=null}if(x){if(d=x=="template"&&e.content||e,i=x=="textarea"&&M.defaultValue!=null?null:i&&Pn.call(d.childNodes),!u&&i)for(y={},_=0;_<e.attributes.length;_++)y[(w=e.attributes[_]).name]=w.value;for(_ in y)w=y[_],_=="dangerouslySetInnerHTML"?v=w:_=="children"||_ in M||_=="value"&&"defaultValue"in M||_=="checked"&&"defaultChecked"in M||On(e,_,null,w,s);for(_ in M)w=M[_],_=="children"?m=w:_=="dangerouslySetInnerHTML"?p=w:_=="value"?k=w:_=="checked"?O=w:u&&typeof w!="function"||y[_]===w||On(e,_,w,y[_],s);p?(u||v&&(p.__html==v.__html||p.__html==e.innerHTML)||(e.innerHTML=p.__html),l.__k=[]):(v&&(e.textContent=""),(x=="foreignObject"||s=="http://www.w3.org/1998/Math/MathML"&&fu.test(x))&&(s="http://www.w3.org/1999/xhtml"),bo(d,Dn(m)?m:[m],l,t,n,s,i,r,i?i[0]:t.__k&&Kt(t,0),u,f),i&&i.some(il)),u&&x!="textarea"||(_="value",x=="progress"&&k==null?e.removeAttribute(_):k==null||k===e[_]&&(x!="progress"||k)||On(e,_,k,y[_],s),_="checked",O!=null&&O!=e[_]&&On(e,_,O,y[_],s))}else y===M||u&&e.data==M||(e.data=M);return e}function Cs(e,l,t,n){try{typeof e=="function"?l?l.__x=e(l)||1:n&&(n=n.__c||n.__e)&&(l=n.__x)&&(n.__x=null,typeof l=="function"?l():e(null)):e.current=l}catch(s){ne.__e(s,t)}}function Ls(e,l,t){var n,s,i,r;if(ne.unmount&&ne.unmount(e),!(n=e.ref)||n.current&&n.current!=e.__e||Cs(n,null,l,e),n=e.__c){if(n.componentWillUnmount)try{n.componentWillUnmount()}catch(u){ne.__e(u,l)}n.__P=n.__n=null}if(n=e.__k)for(r=0;r<n.length;r++)n[r]&&Ls(n[r],l,typeof e.type!="function"||t&&!e.props.__P);!t&&(n=e.__c)&&(n=n.__z)&&(s=An(n,i=[]))&&(n==e.__e&&i.some(il),il(s),il(n)),t||il(e.__e),e.__e=e.__c=e.__=null}function yu(e,l,t){return this.constructor(e,t)}function Oo(e,l){var t,n,s,i;ne.__&&ne.__(e,l),l.nodeType==9&&(l=l.documentElement),n=(t=e&&32&e.__u)?null:l.__k,l.__k=ol(Dt,{children:[e]}),s=[],i=[],As(l,l.__k,n||Ln,Ln,l.namespaceURI,n?null:l.firstChild?Pn.call(l.childNodes):null,s,n?n.__e:l.firstChild,t,i),ko(s,l.__k,i),l.__k.props.children=null}function wu(e,l){e&&typeof e=="object"&&(e.__u|=32),Oo(e,l)}function bu(e){function l(t){var n,s;return this.getChildContext||(n=new Set,(s={})[l.__c]=this,this.getChildContext=function(){return s},this.shouldComponentUpdate=function(i){this.props.value!=i.value&&n.forEach(function(r){r.__g|=4,Os(r)})},this.sub=function(i){n.add(i);var r=i.componentWillUnmount;i.componentWillUnmount=function(){n.delete(i),r&&r.call(i)}}),t.children}return l.__c="__cC"+So++,l.__=e,l.Provider=(l.Consumer=function(t,n){return t.children(n)}).contextType=l,l}function xu(e){return e.children}function Mu(e,l){return ol(xu,{__P:l,children:e})}ne={__e:function(e,l,t,n){for(var s,i,r;l=l.__;)if((s=l.__c)&&!(1&s.__g)){s.__g|=4;try{if((r=(i=s.constructor)&&i.getDerivedStateFromError)&&s.setState(i.getDerivedStateFromError(e)),s.componentDidCatch&&(s.componentDidCatch(e,n||{}),r=1),r&&8&s.__g)return void(s.__g|=2)}catch(u){e=u}}throw Cn=0,e}},po=0,mo=function(e){return e!=null&&e.constructor===sn},nn.prototype.setState=function(e,l){var t=this.__s;t&&t!=this.state||(t=this.__s=Ut({},this.state)),typeof e=="function"&&(e=e(Ut({},t),this.props)),e&&(Ut(t,e),this.__v&&(l&&this.__k.push(l),Os(this)))},nn.prototype.forceUpdate=function(e){this.__v&&(this.__g|=4,e&&this.__h.push(e),Os(this))},nn.prototype.render=Dt,Gt=[],Cn=0,go=function(e,l){return e.__v.__b-l.__v.__b},Tn=Symbol(),vo=/(PointerCapture)$|Capture$/i,Ts=0,ks={},So=0;var Vs={};Dl(Vs,{useCallback:()=>Tu,useContext:()=>Au,useDebugValue:()=>Cu,useEffect:()=>Eu,useErrorBoundary:()=>Lu,useId:()=>zu,useImperativeHandle:()=>Ou,useLayoutEffect:()=>No,useMemo:()=>Fs,useReducer:()=>Vo,useRef:()=>ku,useState:()=>Wo});var Pt,ge,Ds,To,Ps=Object.is,Rl=0,Fo=[],Is=[],xe=ne,Ao=xe.__b,Co=xe.__r,Lo=xe.diffed,zo=xe.__c,Do=xe.unmount,Po=xe.__;function rl(e,l){xe.__h&&xe.__h(ge,e,Rl||l),Rl=0;var t=ge.__H||(ge.__H={__:[],__h:[]});return e>=t.__.length&&t.__.push({}),t.__[e]}function Wo(e){return Rl=1,Vo(Ho,e)}function Vo(e,l,t){var n=rl(Pt++,2);if(n.t=e,!n.__c&&(n.__=[t?t(l):Ho(void 0,l),function(i){var r=(n.__N||n.__)[0],u=n.t(r,i);Ps(r,u)||(n.__N=[u,n.__[1]],n.__c.setState({}))}],n.__c=ge,!ge.__f)){ge.__f=!0;var s=ge.shouldComponentUpdate;ge.shouldComponentUpdate=function(i,r,u){var f=this.__H;if(!f)return!0;var d=!1,_=this.props!=i;if(f.__.some(function(v){v.__N&&(d=!0,Ps(v.__[0],v.__N[0])||(_=!0))}),s){var p=s.call(this,i,r,u);return d?p||_:p}return!d||_}}return n.__}function Eu(e,l){var t=rl(Pt++,3);!xe.__s&&Ws(t.__H,l)&&(t.__P=!0,t.__=e,t.u=l,ge.__H.__h.push(t))}function No(e,l){var t=rl(Pt++,4);!xe.__s&&Ws(t.__H,l)&&(t.__P=!1,t.__=e,t.u=l,ge.__h.push(t))}function ku(e){return Rl=5,Fs(function(){return{current:e}},[])}function Ou(e,l,t){Rl=6,No(function(){if(typeof e=="function"){var n=e(l());return function(){e(null),typeof n=="function"&&n()}}if(e)return e.current=l(),function(){return e.current=null}},t==null?t:t.concat(e))}function Fs(e,l){var t=rl(Pt++,7);return Ws(t.__H,l)&&(t.__=e(),t.__H=l),t.__}function Tu(e,l){return Rl=8,Fs(function(){return e},l)}function Au(e){var l=ge.context[e.__c],t=rl(Pt++,9);return t.c=e,l?(t.__==null&&(t.__=!0,l.sub(ge)),l.props.value):e.__}function Cu(e,l){xe.useDebugValue&&xe.useDebugValue(l?l(e):e)}function Lu(e){var l=rl(Pt++,10),t=Wo();return l.__=e,ge.componentDidCatch||(ge.componentDidCatch=function(n,s){l.__&&l.__(n,s),t[1](n)}),[t[0],function(){return t[1]()}]}function zu(){var e=rl(Pt++,11);if(!e.__){for(var l=ge.__v;!l.__m&&l.__;)l=l.__;var t=l.__m||(l.__m=[0,0]);e.__="P"+t[0]+"-"+t[1]++}return e.__}function Du(){var e;do{for(;e=Is.shift();)try{on(e)}catch(t){xe.__e(t,{__:(e=e.__P)&&e.__v})}for(;e=Fo.shift();){var l=e.__H;if(e.__P&&l)try{l.__h.some(on),l.__h.some(Rs),l.__h=[]}catch(t){l.__h=[],xe.__e(t,e.__v)}}}while(Is.length)}xe.__b=function(e){ge=null,Ao&&Ao(e)},xe.__=function(e,l){e&&l.__k&&l.__k.__m&&(e.__m=l.__k.__m),Po&&Po(e,l)},xe.__r=function(e){Co&&Co(e),Pt=0;var l=(ge=e.__c).__H;l&&(Ds==ge?ge.__h=[]:(l.__h.some(on),l.__h.some(Rs),Pt=0),l.__h=[],l.__.some(function(t){t.__N&&(t.__=t.__N),t.u=t.__N=void 0})),Ds=ge},xe.diffed=function(e){Lo&&Lo(e);var l=e.__c;l&&l.__H&&(l.__H.__h.length&&Ro(Fo.push(l)),l.__H.__.some(function(t){t.u&&(t.__H=t.u)})),Ds=ge=null},xe.__c=function(e,l){l.some(function(t){try{t.__h.some(on),t.__h=t.__h.filter(function(n){return!n.__||Rs(n)})}catch(n){t.__h=[function(){throw n}]}}),zo&&zo(e,l)},xe.unmount=function(e){Do&&Do(e);var l,t,n=e.__c;n&&n.__H&&(n.__H.__.some(function(s){try{if(s.__P&&s.__c){if(t===void 0){for(t=e.__;t&&(!t.__c||!t.__c.__P);)t=t.__;t=t&&t.__c}s.__P=t,Ro(Is.push(s))}else on(s)}catch(i){l=i}}),n.__H=void 0,l&&xe.__e(l,n.__v))};var Io=typeof requestAnimationFrame=="function";function Pu(e){var l,t=function(){clearTimeout(n),Io&&cancelAnimationFrame(l),setTimeout(e)},n=setTimeout(t,35);Io&&(l=requestAnimationFrame(t))}function Ro(e){e!=1&&To==xe.requestAnimationFrame||((To=xe.requestAnimationFrame)||Pu)(Du)}function on(e){var l=ge,t=e.__c;typeof t=="function"&&(e.__c=void 0,t()),ge=l}function Rs(e){var l=ge;e.__c=e.__(),ge=l}function Ws(e,l){return!e||e.length!=l.length||l.some(function(t,n){return!Ps(t,e[n])})}function Ho(e,l){return typeof l=="function"?l(e):l}var Hs={};Dl(Hs,{Fragment:()=>Dt,jsx:()=>Go,jsxAttr:()=>Nu,jsxDEV:()=>Go,jsxEscape:()=>Uo,jsxTemplate:()=>Wu,jsxs:()=>Go});var Iu=/["&<]/;function Ns(e){if(!e.length||!Iu.test(e))return e;for(var l=0,t=0,n="",s="";t<e.length;t++){switch(e.charCodeAt(t)){case 34:s="&quot;";break;case 38:s="&amp;";break;case 60:s="&lt;";break;default:continue}t!=l&&(n+=e.slice(l,t)),n+=s,l=t+1}return t!=l&&(n+=e.slice(l,t)),n}var jo=Symbol.for("pv"),Ru=0,Fu=Array.isArray;function Go(e,l,t,n,s,i){l||(l={});var r,u,f=l;if("ref"in f&&typeof e!="function")for(u in f={},l)u=="ref"?r=l[u]:f[u]=l[u];var d={type:e,props:f,key:t,ref:r,__k:null,__:null,__b:0,__e:null,__c:null,constructor:jo,__v:--Ru,__i:-1,__u:0};return(s||i)&&(d.__source=s,d.__self=i),ne.vnode&&ne.vnode(d),d}function Wu(e){var l=Go(Dt,{tpl:e,exprs:[].slice.call(arguments,1)});return l.key=l.__v,l}var Bo={},Vu=/[A-Z]/g;function Nu(e,l){if(ne.attr){var t=ne.attr(e,l);if(typeof t=="string")return t}if(l=(function(r){return r!=null&&typeof r=="object"&&typeof r.valueOf=="function"?r.valueOf():r})(l),e=="ref"||e=="key")return"";if(e=="style"&&typeof l=="object"){var n="";for(var s in l){var i=l[s];i!=null&&i!==""&&(n=n+(s[0]=="-"?s:Bo[s]||(Bo[s]=s.replace(Vu,"-$&").toLowerCase()))+":"+i+";")}return e+'="'+Ns(n)+'"'}return l==null||l===!1||typeof l=="function"||typeof l=="object"?"":l===!0?e:e+'="'+Ns(""+l)+'"'}function Uo(e){if(e==null||typeof e=="boolean"||typeof e=="function")return null;if(typeof e=="object"){if(e.constructor===jo)return e;if(Fu(e)){for(var l=0;l<e.length;l++)e[l]=Uo(e[l]);return e}}return Ns(""+e)}var Si={};Dl(Si,{default:()=>He});/*!
* Copyright (c) 2025, Leon Sorokin
* All rights reserved. (MIT Licensed)
*
* uPlot.js (μPlot)
* A small, fast chart for time series, lines, areas, ohlc & bars
*/var Hu="uplot",Bu="u-hz",ju="u-vt",Gu="u-title",Uu="u-wrap",Ku="u-under",qu="u-over",Yu="u-axis",cl="u-off",$u="u-select",Ju="u-cursor-x",Zu="u-cursor-y",Qu="u-cursor-pt",Xu="u-legend",ec="u-live",tc="u-inline",lc="u-series",nc="u-marker",Ko="u-label",sc="u-value",an="width",un="height";var qo="bottom",Fl="left",Bs="right",ii="#000",Yo=ii+"0",js="mousemove",$o="mousedown",Gs="mouseup",Jo="mouseenter",Zo="mouseleave",Qo="dblclick",ic="resize",oc="scroll",Xo="change",Vn="dppxchange",oi="--",Gl=typeof window<"u",$s=Gl?document:null,Vl=Gl?window:null,rc=Gl?navigator:null,oe,In;function Js(){let e=devicePixelRatio;oe!=e&&(oe=e,In&&Qs(Xo,In,Js),In=matchMedia(`(min-resolution: ${oe-.001}dppx) and (max-resolution: ${oe+.001}dppx)`),fl(Xo,In,Js),Vl.dispatchEvent(new CustomEvent(Vn)))}function lt(e,l){if(l!=null){let t=e.classList;!t.contains(l)&&t.add(l)}}function Zs(e,l){let t=e.classList;t.contains(l)&&t.remove(l)}function ve(e,l,t){e.style[l]=t+"px"}function vt(e,l,t,n){let s=$s.createElement(e);return l!=null&&lt(s,l),t?.insertBefore(s,n),s}function ft(e,l){return vt("div",e,l)}var er=new WeakMap;function At(e,l,t,n,s){let i="translate("+l+"px,"+t+"px)",r=er.get(e);i!=r&&(e.style.transform=i,er.set(e,i),l<0||t<0||l>n||t>s?lt(e,cl):Zs(e,cl))}var tr=new WeakMap;function lr(e,l,t){let n=l+t,s=tr.get(e);n!=s&&(tr.set(e,n),e.style.background=l,e.style.borderColor=t)}var nr=new WeakMap;function sr(e,l,t,n){let s=l+""+t,i=nr.get(e);s!=i&&(nr.set(e,s),e.style.height=t+"px",e.style.width=l+"px",e.style.marginLeft=n?-l/2+"px":0,e.style.marginTop=n?-t/2+"px":0)}var ri={passive:!0},ac={...ri,capture:!0};function fl(e,l,t,n){l.addEventListener(e,t,n?ac:ri)}function Qs(e,l,t,n){l.removeEventListener(e,t,ri)}Gl&&Js();function St(e,l,t,n){let s;t=t||0,n=n||l.length-1;let i=n<=2147483647;for(;n-t>1;)s=i?t+n>>1:nt((t+n)/2),l[s]<e?t=s:n=s;return e-l[t]<=l[n]-e?t:n}function zr(e){return(t,n,s)=>{let i=-1,r=-1;for(let u=n;u<=s;u++)if(e(t[u])){i=u;break}for(let u=s;u>=n;u--)if(e(t[u])){r=u;break}return[i,r]}}var Dr=e=>e!=null,Pr=e=>e!=null&&e>0,Bn=zr(Dr),uc=zr(Pr);function cc(e,l,t,n=0,s=!1){let i=s?uc:Bn,r=s?Pr:Dr;[l,t]=i(e,l,t);let u=e[l],f=e[l];if(l>-1)if(n==1)u=e[l],f=e[t];else if(n==-1)u=e[t],f=e[l];else for(let d=l;d<=t;d++){let _=e[d];r(_)&&(_<u?u=_:_>f&&(f=_))}return[u??fe,f??-fe]}function jn(e,l,t,n){let s=rr(e),i=rr(l);e==l&&(s==-1?(e*=t,l/=t):(e/=t,l*=t));let r=t==10?It:Ir,u=s==1?nt:ht,f=i==1?ht:nt,d=u(r(Le(e))),_=f(r(Le(l))),p=Nl(t,d),v=Nl(t,_);return t==10&&(d<0&&(p=he(p,-d)),_<0&&(v=he(v,-_))),n||t==2?(e=p*s,l=v*i):(e=Vr(e,p),l=Gn(l,v)),[e,l]}function ai(e,l,t,n){let s=jn(e,l,t,n);return e==0&&(s[0]=0),l==0&&(s[1]=0),s}var ui=.1,ir={mode:3,pad:ui},fn={pad:0,soft:null,mode:0},fc={min:fn,max:fn};function Nn(e,l,t,n){return Un(t)?or(e,l,t):(fn.pad=t,fn.soft=n?0:null,fn.mode=n?3:0,or(e,l,fc))}function se(e,l){return e??l}function hc(e,l,t){for(l=se(l,0),t=se(t,e.length-1);l<=t;){if(e[l]!=null)return!0;l++}return!1}function or(e,l,t){let n=t.min,s=t.max,i=se(n.pad,0),r=se(s.pad,0),u=se(n.hard,-fe),f=se(s.hard,fe),d=se(n.soft,fe),_=se(s.soft,-fe),p=se(n.mode,0),v=se(s.mode,0),m=l-e,w=It(m),k=qe(Le(e),Le(l)),O=It(k),A=Le(O-w);(m<1e-24||A>10)&&(m=0,(e==0||l==0)&&(m=1e-24,p==2&&d!=fe&&(i=0),v==2&&_!=-fe&&(r=0)));let y=m||k||1e3,M=It(y),x=Nl(10,nt(M)),W=y*(m==0?e==0?.1:1:i),L=he(Vr(e-W,x/10),24),F=e>=d&&(p==1||p==3&&L<=d||p==2&&L>=d)?d:fe,G=qe(u,L<F&&e>=F?F:yt(F,L)),Y=y*(m==0?l==0?.1:1:r),V=he(Gn(l+Y,x/10),24),T=l<=_&&(v==1||v==3&&V>=_||v==2&&V<=_)?_:-fe,N=yt(f,V>T&&l<=T?T:qe(T,V));return G==N&&G==0&&(N=100),[G,N]}var dc=new Intl.NumberFormat(Gl?rc.language:"en-US"),ci=e=>dc.format(e),st=Math,Wn=st.PI,Le=st.abs,nt=st.floor,Ce=st.round,ht=st.ceil,yt=st.min,qe=st.max,Nl=st.pow,rr=st.sign,It=st.log10,Ir=st.log2,_c=(e,l=1)=>st.sinh(e)*l,Us=(e,l=1)=>st.asinh(e/l),fe=1/0;function ar(e){return(It((e^e>>31)-(e>>31))|0)+1}function Xs(e,l,t){return yt(qe(e,l),t)}function Rr(e){return typeof e=="function"}function X(e){return Rr(e)?e:()=>e}var pc=()=>{},Fr=e=>e,Wr=(e,l)=>l,mc=e=>null,ur=e=>!0,cr=(e,l)=>e==l,gc=/\.\d*?(?=9{6,}|0{6,})/gm,hl=e=>{if(Hr(e)||Yt.has(e))return e;let l=`${e}`,t=l.match(gc);if(t==null)return e;let n=t[0].length-1;if(l.indexOf("e-")!=-1){let[s,i]=l.split("e");return+`${hl(s)}e${i}`}return he(e,n)};function al(e,l){return hl(he(hl(e/l))*l)}function Gn(e,l){return hl(ht(hl(e/l))*l)}function Vr(e,l){return hl(nt(hl(e/l))*l)}function he(e,l=0){if(Hr(e))return e;let t=10**l,n=e*t*(1+Number.EPSILON);return Ce(n)/t}var Yt=new Map;function Nr(e){return((""+e).split(".")[1]||"").length}function dn(e,l,t,n){let s=[],i=n.map(Nr);for(let r=l;r<t;r++){let u=Le(r),f=he(Nl(e,r),u);for(let d=0;d<n.length;d++){let _=e==10?+`${n[d]}e${r}`:n[d]*f,p=(r>=0?0:u)+(r>=i[d]?0:i[d]),v=e==10?_:he(_,p);s.push(v),Yt.set(v,p)}}return s}var hn={},fi=[],Hl=[null,null],qt=Array.isArray,Hr=Number.isInteger,vc=e=>e===void 0;function fr(e){return typeof e=="string"}function Un(e){let l=!1;if(e!=null){let t=e.constructor;l=t==null||t==Object}return l}function Sc(e){return e!=null&&typeof e=="object"}var yc=Object.getPrototypeOf(Uint8Array),Br="__proto__";function Bl(e,l=Un){let t;if(qt(e)){let n=e.find(s=>s!=null);if(qt(n)||l(n)){t=Array(e.length);for(let s=0;s<e.length;s++)t[s]=Bl(e[s],l)}else t=e.slice()}else if(e instanceof yc)t=e.slice();else if(l(e)){t={};for(let n in e)n!=Br&&(t[n]=Bl(e[n],l))}else t=e;return t}function Oe(e){let l=arguments;for(let t=1;t<l.length;t++){let n=l[t];for(let s in n)s!=Br&&(Un(e[s])?Oe(e[s],Bl(n[s])):e[s]=Bl(n[s]))}return e}var wc=0,bc=1,xc=2;function Mc(e,l,t){for(let n=0,s,i=-1;n<l.length;n++){let r=l[n];if(r>i){for(s=r-1;s>=0&&e[s]==null;)e[s--]=null;for(s=r+1;s<t&&e[s]==null;)e[i=s++]=null}}}function Ec(e,l){if(Tc(e)){let r=e[0].slice();for(let u=1;u<e.length;u++)r.push(...e[u].slice(1));return Ac(r[0])||(r=Oc(r)),r}let t=new Set;for(let r=0;r<e.length;r++){let f=e[r][0],d=f.length;for(let _=0;_<d;_++)t.add(f[_])}let n=[Array.from(t).sort((r,u)=>r-u)],s=n[0].length,i=new Map;for(let r=0;r<s;r++)i.set(n[0][r],r);for(let r=0;r<e.length;r++){let u=e[r],f=u[0];for(let d=1;d<u.length;d++){let _=u[d],p=Array(s).fill(void 0),v=l?l[r][d]:bc,m=[];for(let w=0;w<_.length;w++){let k=_[w],O=i.get(f[w]);k===null?v!=wc&&(p[O]=k,v==xc&&m.push(O)):p[O]=k}Mc(p,m,s),n.push(p)}}return n}var kc=typeof queueMicrotask>"u"?e=>Promise.resolve().then(e):queueMicrotask;function Oc(e){let l=e[0],t=l.length,n=Array(t);for(let i=0;i<n.length;i++)n[i]=i;n.sort((i,r)=>l[i]-l[r]);let s=[];for(let i=0;i<e.length;i++){let r=e[i],u=Array(t);for(let f=0;f<t;f++)u[f]=r[n[f]];s.push(u)}return s}function Tc(e){let l=e[0][0],t=l.length;for(let n=1;n<e.length;n++){let s=e[n][0];if(s.length!=t)return!1;if(s!=l){for(let i=0;i<t;i++)if(s[i]!=l[i])return!1}}return!0}function Ac(e,l=100){let t=e.length;if(t<=1)return!0;let n=0,s=t-1;for(;n<=s&&e[n]==null;)n++;for(;s>=n&&e[s]==null;)s--;if(s<=n)return!0;let i=qe(1,nt((s-n+1)/l));for(let r=e[n],u=n+i;u<=s;u+=i){let f=e[u];if(f!=null){if(f<=r)return!1;r=f}}return!0}var jr=["January","February","March","April","May","June","July","August","September","October","November","December"],Gr=["Sunday","Monday","Tuesday","Wednesday","Thursday","Friday","Saturday"];function Ur(e){return e.slice(0,3)}var Cc=Gr.map(Ur),Lc=jr.map(Ur),zc={MMMM:jr,MMM:Lc,WWWW:Gr,WWW:Cc};function rn(e){return(e<10?"0":"")+e}function Dc(e){return(e<10?"00":e<100?"0":"")+e}var Pc={YYYY:e=>e.getFullYear(),YY:e=>(e.getFullYear()+"").slice(2),MMMM:(e,l)=>l.MMMM[e.getMonth()],MMM:(e,l)=>l.MMM[e.getMonth()],MM:e=>rn(e.getMonth()+1),M:e=>e.getMonth()+1,DD:e=>rn(e.getDate()),D:e=>e.getDate(),WWWW:(e,l)=>l.WWWW[e.getDay()],WWW:(e,l)=>l.WWW[e.getDay()],HH:e=>rn(e.getHours()),H:e=>e.getHours(),h:e=>{let l=e.getHours();return l==0?12:l>12?l-12:l},AA:e=>e.getHours()>=12?"PM":"AM",aa:e=>e.getHours()>=12?"pm":"am",a:e=>e.getHours()>=12?"p":"a",mm:e=>rn(e.getMinutes()),m:e=>e.getMinutes(),ss:e=>rn(e.getSeconds()),s:e=>e.getSeconds(),fff:e=>Dc(e.getMilliseconds())};function hi(e,l){l=l||zc;let t=[],n=/\{([a-z]+)\}|[^{]+/gi,s;for(;s=n.exec(e);)t.push(s[0][0]=="{"?Pc[s[1]]:s[0]);return i=>{let r="";for(let u=0;u<t.length;u++)r+=typeof t[u]=="string"?t[u]:t[u](i,l);return r}}var Ic=new Intl.DateTimeFormat().resolvedOptions().timeZone;function Rc(e,l){let t;return l=="UTC"||l=="Etc/UTC"?t=new Date(+e+e.getTimezoneOffset()*6e4):l==Ic?t=e:(t=new Date(e.toLocaleString("en-US",{timeZone:l})),t.setMilliseconds(e.getMilliseconds())),t}var Kr=e=>e%1==0,Hn=[1,2,2.5,5],Fc=dn(10,-32,0,Hn),qr=dn(10,0,32,Hn),Wc=qr.filter(Kr),ul=Fc.concat(qr),di=`
`,Yr="{YYYY}",hr=di+Yr,$r="{M}/{D}",cn=di+$r,Rn=cn+"/{YY}",Jr="{aa}",Vc="{h}:{mm}",Wl=Vc+Jr,dr=di+Wl,_r=":{ss}",ae=null;function Zr(e){let l=e*1e3,t=l*60,n=t*60,s=n*24,i=s*30,r=s*365,f=(e==1?dn(10,0,3,Hn).filter(Kr):dn(10,-3,0,Hn)).concat([l,l*5,l*10,l*15,l*30,t,t*5,t*10,t*15,t*30,n,n*2,n*3,n*4,n*6,n*8,n*12,s,s*2,s*3,s*4,s*5,s*6,s*7,s*8,s*9,s*10,s*15,i,i*2,i*3,i*4,i*6,r,r*2,r*5,r*10,r*25,r*50,r*100]),d=[[r,Yr,ae,ae,ae,ae,ae,ae,1],[s*28,"{MMM}",hr,ae,ae,ae,ae,ae,1],[s,$r,hr,ae,ae,ae,ae,ae,1],[n,"{h}"+Jr,Rn,ae,cn,ae,ae,ae,1],[t,Wl,Rn,ae,cn,ae,ae,ae,1],[l,_r,Rn+" "+Wl,ae,cn+" "+Wl,ae,dr,ae,1],[e,_r+".{fff}",Rn+" "+Wl,ae,cn+" "+Wl,ae,dr,ae,1]];function _(p){return(v,m,w,k,O,A)=>{let y=[],M=O>=r,x=O>=i&&O<r,W=p(w),L=he(W*e,3),F=Ks(W.getFullYear(),M?0:W.getMonth(),x||M?1:W.getDate()),G=he(F*e,3);if(x||M){let Y=x?O/i:0,V=M?O/r:0,T=L==G?L:he(Ks(F.getFullYear()+V,F.getMonth()+Y,1)*e,3),N=new Date(Ce(T/e)),z=N.getFullYear(),K=N.getMonth();for(let H=0;T<=k;H++){let ee=Ks(z+V*H,K+Y*H,1),U=ee-p(he(ee*e,3));T=he((+ee+U)*e,3),T<=k&&y.push(T)}}else{let Y=O>=s?s:O,V=nt(w)-nt(L),T=G+V+Gn(L-G,Y);y.push(T);let N=p(T),z=N.getHours()+N.getMinutes()/t+N.getSeconds()/n,K=O/n,H=v.axes[m]._space,ee=A/H;for(;T=he(T+O,e==1?0:3),!(T>k);)if(K>1){let U=nt(he(z+K,6))%24,te=p(T).getHours()-U;te>1&&(te=-1),T-=te*n,z=(z+K)%24;let ue=y[y.length-1];he((T-ue)/O,3)*ee>=.7&&y.push(T)}else y.push(T)}return y}}return[f,d,_]}var[Nc,Hc,Bc]=Zr(1),[jc,Gc,Uc]=Zr(.001);dn(2,-53,53,[1]);function pr(e,l){return e.map(t=>t.map((n,s)=>s==0||s==8||n==null?n:l(s==1||t[8]==0?n:t[1]+n)))}function mr(e,l){return(t,n,s,i,r)=>{let u=l.find(w=>r>=w[0])||l[l.length-1],f,d,_,p,v,m;return n.map(w=>{let k=e(w),O=k.getFullYear(),A=k.getMonth(),y=k.getDate(),M=k.getHours(),x=k.getMinutes(),W=k.getSeconds(),L=O!=f&&u[2]||A!=d&&u[3]||y!=_&&u[4]||M!=p&&u[5]||x!=v&&u[6]||W!=m&&u[7]||u[1];return f=O,d=A,_=y,p=M,v=x,m=W,L(k)})}}function Kc(e,l){let t=hi(l);return(n,s,i,r,u)=>s.map(f=>t(e(f)))}function Ks(e,l,t){return new Date(e,l,t)}function gr(e,l){return l(e)}var qc="{YYYY}-{MM}-{DD} {h}:{mm}{aa}";function vr(e,l){return(t,n,s,i)=>i==null?oi:l(e(n))}function Yc(e,l){let t=e.series[l];return t.width?t.stroke(e,l):t.points.width?t.points.stroke(e,l):null}function $c(e,l){return e.series[l].fill(e,l)}var Jc={show:!0,live:!0,isolate:!1,mount:pc,markers:{show:!0,width:2,stroke:Yc,fill:$c,dash:"solid"},idx:null,idxs:null,values:[]};function Zc(e,l){let t=e.cursor.points,n=ft(),s=t.size(e,l);ve(n,an,s),ve(n,un,s);let i=s/-2;ve(n,"marginLeft",i),ve(n,"marginTop",i);let r=t.width(e,l,s);return r&&ve(n,"borderWidth",r),n}function Qc(e,l){let t=e.series[l].points;return t._fill||t._stroke}function Xc(e,l){let t=e.series[l].points;return t._stroke||t._fill}function ef(e,l){return e.series[l].points.size}var qs=[0,0];function tf(e,l,t){return qs[0]=l,qs[1]=t,qs}function Fn(e,l,t,n=!0){return s=>{s.button==0&&(!n||s.target==l)&&t(s)}}function Ys(e,l,t,n=!0){return s=>{(!n||s.target==l)&&t(s)}}var lf={show:!0,x:!0,y:!0,lock:!1,move:tf,points:{one:!1,show:Zc,size:ef,width:0,stroke:Xc,fill:Qc},bind:{mousedown:Fn,mouseup:Fn,click:Fn,dblclick:Fn,mousemove:Ys,mouseleave:Ys,mouseenter:Ys},drag:{setScale:!0,x:!0,y:!1,dist:0,uni:null,click:(e,l)=>{l.stopPropagation(),l.stopImmediatePropagation()},_x:!1,_y:!1},focus:{dist:(e,l,t,n,s)=>n-s,prox:-1,bias:0},hover:{skip:[void 0],prox:null,bias:0},left:-10,top:-10,idx:null,dataIdx:null,idxs:null,event:null},Qr={show:!0,stroke:"rgba(0,0,0,0.07)",width:2},_i=Oe({},Qr,{filter:Wr}),Xr=Oe({},_i,{size:10}),ea=Oe({},Qr,{show:!1}),pi='12px system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, "Noto Sans", sans-serif, "Apple Color Emoji", "Segoe UI Emoji", "Segoe UI Symbol", "Noto Color Emoji"',ta="bold "+pi,la=1.5,Sr={show:!0,scale:"x",stroke:ii,space:50,gap:5,alignTo:1,size:50,labelGap:0,labelSize:30,labelFont:ta,side:2,grid:_i,ticks:Xr,border:ea,font:pi,lineGap:la,rotate:0},nf="Value",sf="Time",yr={show:!0,scale:"x",auto:!1,sorted:1,min:fe,max:-fe,idxs:[]};function of(e,l,t,n,s){return l.map(i=>i==null?"":ci(i))}function rf(e,l,t,n,s,i,r){let u=[],f=Yt.get(s)||0;t=r?t:he(Gn(t,s),f);for(let d=t;d<=n;d=he(d+s,f))u.push(Object.is(d,-0)?0:d);return u}function ei(e,l,t,n,s,i,r){let u=[],f=e.scales[e.axes[l].scale].log,d=f==10?It:Ir,_=nt(d(t));s=Nl(f,_),f==10&&(s=ul[St(s,ul)]);let p=t,v=s*f;f==10&&(v=ul[St(v,ul)]);do u.push(p),p=p+s,f==10&&!Yt.has(p)&&(p=he(p,Yt.get(s))),p>=v&&(s=p,v=s*f,f==10&&(v=ul[St(v,ul)]));while(p<=n);return u}function af(e,l,t,n,s,i,r){let f=e.scales[e.axes[l].scale].asinh,d=n>f?ei(e,l,qe(f,t),n,s):[f],_=n>=0&&t<=0?[0]:[];return(t<-f?ei(e,l,qe(f,-n),-t,s):[f]).reverse().map(v=>-v).concat(_,d)}var na=/./,uf=/[12357]/,cf=/[125]/,wr=/1/,ti=(e,l,t,n)=>e.map((s,i)=>l==4&&s==0||i%n==0&&t.test(s.toExponential()[s<0?1:0])?s:null);function ff(e,l,t,n,s){let i=e.axes[t],r=i.scale,u=e.scales[r],f=e.valToPos,d=i._space,_=f(10,r),p=f(9,r)-_>=d?na:f(7,r)-_>=d?uf:f(5,r)-_>=d?cf:wr;if(p==wr){let v=Le(f(1,r)-_);if(v<d)return ti(l.slice().reverse(),u.distr,p,ht(d/v)).reverse()}return ti(l,u.distr,p,1)}function hf(e,l,t,n,s){let i=e.axes[t],r=i.scale,u=i._space,f=e.valToPos,d=Le(f(1,r)-f(2,r));return d<u?ti(l.slice().reverse(),3,na,ht(u/d)).reverse():l}function df(e,l,t,n){return n==null?oi:l==null?"":ci(l)}var br={show:!0,scale:"y",stroke:ii,space:30,gap:5,alignTo:1,size:50,labelGap:0,labelSize:30,labelFont:ta,side:3,grid:_i,ticks:Xr,border:ea,font:pi,lineGap:la,rotate:0};function _f(e,l){let t=3+(e||1)*2;return he(t*l,3)}function pf(e,l){let{scale:t,idxs:n}=e.series[0],s=e._data[0],i=e.valToPos(s[n[0]],t,!0),r=e.valToPos(s[n[1]],t,!0),u=Le(r-i),f=e.series[l],d=u/(f.points.space*oe);return n[1]-n[0]<=d}var xr={scale:null,auto:!0,sorted:0,min:fe,max:-fe},sa=(e,l,t,n,s)=>s,Mr={show:!0,auto:!0,sorted:0,gaps:sa,alpha:1,facets:[Oe({},xr,{scale:"x"}),Oe({},xr,{scale:"y"})]},Er={scale:"y",auto:!0,sorted:0,show:!0,spanGaps:!1,gaps:sa,alpha:1,points:{show:pf,filter:null},values:null,min:fe,max:-fe,idxs:[],path:null,clip:null};function mf(e,l,t,n,s){return t/10}var ia={time:!0,auto:!0,distr:1,log:10,asinh:1,min:null,max:null,dir:1,ori:0},gf=Oe({},ia,{time:!1,ori:1}),kr={};function oa(e,l){let t=kr[e];return t||(t={key:e,plots:[],sub(n){t.plots.push(n)},unsub(n){t.plots=t.plots.filter(s=>s!=n)},pub(n,s,i,r,u,f,d){for(let _=0;_<t.plots.length;_++)t.plots[_]!=s&&t.plots[_].pub(n,s,i,r,u,f,d)}},e!=null&&(kr[e]=t)),t}var jl=1,li=2;function dl(e,l,t){let n=e.mode,s=e.series[l],i=n==2?e._data[l]:e._data,r=e.scales,u=e.bbox,f=i[0],d=n==2?i[1]:i[l],_=n==2?r[s.facets[0].scale]:r[e.series[0].scale],p=n==2?r[s.facets[1].scale]:r[s.scale],v=u.left,m=u.top,w=u.width,k=u.height,O=e.valToPosH,A=e.valToPosV;return _.ori==0?t(s,f,d,_,p,O,A,v,m,w,k,qn,Ul,$n,aa,ca):t(s,f,d,_,p,A,O,m,v,k,w,Yn,Kl,vi,ua,fa)}function mi(e,l){let t=0,n=0,s=se(e.bands,fi);for(let i=0;i<s.length;i++){let r=s[i];r.series[0]==l?t=r.dir:r.series[1]==l&&(r.dir==1?n|=1:n|=2)}return[t,n==1?-1:n==2?1:n==3?2:0]}function vf(e,l,t,n,s){let i=e.mode,r=e.series[l],u=i==2?r.facets[1].scale:r.scale,f=e.scales[u];return s==-1?f.min:s==1?f.max:f.distr==3?f.dir==1?f.min:f.max:0}function Rt(e,l,t,n,s,i){return dl(e,l,(r,u,f,d,_,p,v,m,w,k,O)=>{let A=r.pxRound,y=d.dir*(d.ori==0?1:-1),M=d.ori==0?Ul:Kl,x,W;y==1?(x=t,W=n):(x=n,W=t);let L=A(p(u[x],d,k,m)),F=A(v(f[x],_,O,w)),G=A(p(u[W],d,k,m)),Y=A(v(i==1?_.max:_.min,_,O,w)),V=new Path2D(s);return M(V,G,Y),M(V,L,Y),M(V,L,F),V})}function Kn(e,l,t,n,s,i){let r=null;if(e.length>0){r=new Path2D;let u=l==0?$n:vi,f=t;for(let p=0;p<e.length;p++){let v=e[p];if(v[1]>v[0]){let m=v[0]-f;m>0&&u(r,f,n,m,n+i),f=v[1]}}let d=t+s-f,_=10;d>0&&u(r,f,n-_/2,d,n+i+_)}return r}function Sf(e,l,t){let n=e[e.length-1];n&&n[0]==l?n[1]=t:e.push([l,t])}function gi(e,l,t,n,s,i,r){let u=[],f=e.length;for(let d=s==1?t:n;d>=t&&d<=n;d+=s)if(l[d]===null){let p=d,v=d;if(s==1)for(;++d<=n&&l[d]===null;)v=d;else for(;--d>=t&&l[d]===null;)v=d;let m=i(e[p]),w=v==p?m:i(e[v]),k=p-s;m=r<=0&&k>=0&&k<f?i(e[k]):m;let A=v+s;w=r>=0&&A>=0&&A<f?i(e[A]):w,w>=m&&u.push([m,w])}return u}function Or(e){return e==0?Fr:e==1?Ce:l=>al(l,e)}function ra(e){let l=e==0?qn:Yn,t=e==0?(s,i,r,u,f,d)=>{s.arcTo(i,r,u,f,d)}:(s,i,r,u,f,d)=>{s.arcTo(r,i,f,u,d)},n=e==0?(s,i,r,u,f)=>{s.rect(i,r,u,f)}:(s,i,r,u,f)=>{s.rect(r,i,f,u)};return(s,i,r,u,f,d=0,_=0)=>{d==0&&_==0?n(s,i,r,u,f):(d=yt(d,u/2,f/2),_=yt(_,u/2,f/2),l(s,i+d,r),t(s,i+u,r,i+u,r+f,d),t(s,i+u,r+f,i,r+f,_),t(s,i,r+f,i,r,_),t(s,i,r,i+u,r,d),s.closePath())}}var qn=(e,l,t)=>{e.moveTo(l,t)},Yn=(e,l,t)=>{e.moveTo(t,l)},Ul=(e,l,t)=>{e.lineTo(l,t)},Kl=(e,l,t)=>{e.lineTo(t,l)},$n=ra(0),vi=ra(1),aa=(e,l,t,n,s,i)=>{e.arc(l,t,n,s,i)},ua=(e,l,t,n,s,i)=>{e.arc(t,l,n,s,i)},ca=(e,l,t,n,s,i,r)=>{e.bezierCurveTo(l,t,n,s,i,r)},fa=(e,l,t,n,s,i,r)=>{e.bezierCurveTo(t,l,s,n,r,i)};function ha(e){return(l,t,n,s,i)=>dl(l,t,(r,u,f,d,_,p,v,m,w,k,O)=>{let{pxRound:A,points:y}=r,M,x;d.ori==0?(M=qn,x=aa):(M=Yn,x=ua);let W=he(y.width*oe,3),L=(y.size-y.width)/2*oe,F=he(L*2,3),G=new Path2D,Y=new Path2D,{left:V,top:T,width:N,height:z}=l.bbox;$n(Y,V-F,T-F,N+F*2,z+F*2);let K=H=>{if(f[H]!=null){let ee=A(p(u[H],d,k,m)),U=A(v(f[H],_,O,w));M(G,ee+L,U),x(G,ee,U,L,0,Wn*2)}};if(i)i.forEach(K);else for(let H=n;H<=s;H++)K(H);return{stroke:W>0?G:null,fill:G,clip:Y,flags:jl|li}})}function da(e){return(l,t,n,s,i,r)=>{n!=s&&(i!=n&&r!=n&&e(l,t,n),i!=s&&r!=s&&e(l,t,s),e(l,t,r))}}var yf=da(Ul),wf=da(Kl);function _a(e){let l=se(e?.alignGaps,0);return(t,n,s,i)=>dl(t,n,(r,u,f,d,_,p,v,m,w,k,O)=>{[s,i]=Bn(f,s,i);let A=r.pxRound,y=z=>A(p(z,d,k,m)),M=z=>A(v(z,_,O,w)),x,W;d.ori==0?(x=Ul,W=yf):(x=Kl,W=wf);let L=d.dir*(d.ori==0?1:-1),F={stroke:new Path2D,fill:null,clip:null,band:null,gaps:null,flags:jl},G=F.stroke,Y=!1;if(i-s>=k*4){let z=B=>t.posToVal(B,d.key,!0),K=null,H=null,ee,U,Ye,Se=y(u[L==1?s:i]),te=y(u[s]),ue=y(u[i]),Z=z(L==1?te+1:ue-1);for(let B=L==1?s:i;B>=s&&B<=i;B+=L){let Te=u[B],ye=(L==1?Te<Z:Te>Z)?Se:y(Te),re=f[B];ye==Se?re!=null?(U=re,K==null?(x(G,ye,M(U)),ee=K=H=U):U<K?K=U:U>H&&(H=U)):re===null&&(Y=!0):(K!=null&&W(G,Se,M(K),M(H),M(ee),M(U)),re!=null?(U=re,x(G,ye,M(U)),K=H=ee=U):(K=H=null,re===null&&(Y=!0)),Se=ye,Z=z(Se+L))}K!=null&&K!=H&&Ye!=Se&&W(G,Se,M(K),M(H),M(ee),M(U))}else for(let z=L==1?s:i;z>=s&&z<=i;z+=L){let K=f[z];K===null?Y=!0:K!=null&&x(G,y(u[z]),M(K))}let[T,N]=mi(t,n);if(r.fill!=null||T!=0){let z=F.fill=new Path2D(G),K=r.fillTo(t,n,r.min,r.max,T),H=M(K),ee=y(u[s]),U=y(u[i]);L==-1&&([U,ee]=[ee,U]),x(z,U,H),x(z,ee,H)}if(!r.spanGaps){let z=[];Y&&z.push(...gi(u,f,s,i,L,y,l)),F.gaps=z=r.gaps(t,n,s,i,z),F.clip=Kn(z,d.ori,m,w,k,O)}return N!=0&&(F.band=N==2?[Rt(t,n,s,i,G,-1),Rt(t,n,s,i,G,1)]:Rt(t,n,s,i,G,N)),F})}function bf(e){let l=se(e.align,1),t=se(e.ascDesc,!1),n=se(e.alignGaps,0),s=se(e.extend,!1);return(i,r,u,f)=>dl(i,r,(d,_,p,v,m,w,k,O,A,y,M)=>{[u,f]=Bn(p,u,f);let x=d.pxRound,{left:W,width:L}=i.bbox,F=te=>x(w(te,v,y,O)),G=te=>x(k(te,m,M,A)),Y=v.ori==0?Ul:Kl,V={stroke:new Path2D,fill:null,clip:null,band:null,gaps:null,flags:jl},T=V.stroke,N=v.dir*(v.ori==0?1:-1),z=G(p[N==1?u:f]),K=F(_[N==1?u:f]),H=K,ee=K;s&&l==-1&&(ee=W,Y(T,ee,z)),Y(T,K,z);for(let te=N==1?u:f;te>=u&&te<=f;te+=N){let ue=p[te];if(ue==null)continue;let Z=F(_[te]),B=G(ue);l==1?Y(T,Z,z):Y(T,H,B),Y(T,Z,B),z=B,H=Z}let U=H;s&&l==1&&(U=W+L,Y(T,U,z));let[Ye,Se]=mi(i,r);if(d.fill!=null||Ye!=0){let te=V.fill=new Path2D(T),ue=d.fillTo(i,r,d.min,d.max,Ye),Z=G(ue);Y(te,U,Z),Y(te,ee,Z)}if(!d.spanGaps){let te=[];te.push(...gi(_,p,u,f,N,F,n));let ue=d.width*oe/2,Z=t||l==1?ue:-ue,B=t||l==-1?-ue:ue;te.forEach(Te=>{Te[0]+=Z,Te[1]+=B}),V.gaps=te=d.gaps(i,r,u,f,te),V.clip=Kn(te,v.ori,O,A,y,M)}return Se!=0&&(V.band=Se==2?[Rt(i,r,u,f,T,-1),Rt(i,r,u,f,T,1)]:Rt(i,r,u,f,T,Se)),V})}function Tr(e,l,t,n,s,i,r=fe){if(e.length>1){let u=null;for(let f=0,d=1/0;f<e.length;f++)if(l[f]!==void 0){if(u!=null){let _=Le(e[f]-e[u]);_<d&&(d=_,r=Le(t(e[f],n,s,i)-t(e[u],n,s,i)))}u=f}}return r}function xf(e){e=e||hn;let l=se(e.size,[.6,fe,1]),t=e.align||0,n=e.gap||0,s=e.radius;s=s==null?[0,0]:typeof s=="number"?[s,0]:s;let i=X(s),r=1-l[0],u=se(l[1],fe),f=se(l[2],1),d=se(e.disp,hn),_=se(e.each,m=>{}),{fill:p,stroke:v}=d;return(m,w,k,O)=>dl(m,w,(A,y,M,x,W,L,F,G,Y,V,T)=>{let N=A.pxRound,z=t,K=n*oe,H=u*oe,ee=f*oe,U,Ye;x.ori==0?[U,Ye]=i(m,w):[Ye,U]=i(m,w);let Se=x.dir*(x.ori==0?1:-1),te=x.ori==0?$n:vi,ue=x.ori==0?_:(I,de,Ae,gl,Zt,bt,Qt)=>{_(I,de,Ae,Zt,gl,Qt,bt)},Z=se(m.bands,fi).find(I=>I.series[0]==w),B=Z!=null?Z.dir:0,Te=A.fillTo(m,w,A.min,A.max,B),Be=N(F(Te,W,T,Y)),ye,re,dt,Ze=V,be=N(A.width*oe),wt=!1,Ct=null,it=null,Ft=null,_l=null;p!=null&&(be==0||v!=null)&&(wt=!0,Ct=p.values(m,w,k,O),it=new Map,new Set(Ct).forEach(I=>{I!=null&&it.set(I,new Path2D)}),be>0&&(Ft=v.values(m,w,k,O),_l=new Map,new Set(Ft).forEach(I=>{I!=null&&_l.set(I,new Path2D)})));let{x0:pl,size:ql}=d;if(pl!=null&&ql!=null){z=1,y=pl.values(m,w,k,O),pl.unit==2&&(y=y.map(Ae=>m.posToVal(G+Ae*V,x.key,!0)));let I=ql.values(m,w,k,O);ql.unit==2?re=I[0]*V:re=L(I[0],x,V,G)-L(0,x,V,G),Ze=Tr(y,M,L,x,V,G,Ze),dt=Ze-re+K}else Ze=Tr(y,M,L,x,V,G,Ze),dt=Ze*r+K,re=Ze-dt;dt<1&&(dt=0),be>=re/2&&(be=0),dt<5&&(N=Fr);let _n=dt>0,$t=Ze-dt-(_n?be:0);re=N(Xs($t,ee,H)),ye=(z==0?re/2:z==Se?0:re)-z*Se*((z==0?K/2:0)+(_n?be/2:0));let je={stroke:null,fill:null,clip:null,band:null,gaps:null,flags:0},ml=wt?null:new Path2D,Lt=null;if(Z!=null)Lt=m.data[Z.series[1]];else{let{y0:I,y1:de}=d;I!=null&&de!=null&&(M=de.values(m,w,k,O),Lt=I.values(m,w,k,O))}let Jt=U*re,J=Ye*re;for(let I=Se==1?k:O;I>=k&&I<=O;I+=Se){let de=M[I];if(de==null)continue;if(Lt!=null){let $e=Lt[I]??0;if(de-$e==0)continue;Be=F($e,W,T,Y)}let Ae=x.distr!=2||d!=null?y[I]:I,gl=L(Ae,x,V,G),Zt=F(se(de,Te),W,T,Y),bt=N(gl-ye),Qt=N(qe(Zt,Be)),Qe=N(yt(Zt,Be)),ot=Qt-Qe;if(de!=null){let $e=de<0?J:Jt,_t=de<0?Jt:J;wt?(be>0&&Ft[I]!=null&&te(_l.get(Ft[I]),bt,Qe+nt(be/2),re,qe(0,ot-be),$e,_t),Ct[I]!=null&&te(it.get(Ct[I]),bt,Qe+nt(be/2),re,qe(0,ot-be),$e,_t)):te(ml,bt,Qe+nt(be/2),re,qe(0,ot-be),$e,_t),ue(m,w,I,bt-be/2,Qe,re+be,ot)}}return be>0?je.stroke=wt?_l:ml:wt||(je._fill=A.width==0?A._fill:A._stroke??A._fill,je.width=0),je.fill=wt?it:ml,je})}function Mf(e,l){let t=se(l?.alignGaps,0);return(n,s,i,r)=>dl(n,s,(u,f,d,_,p,v,m,w,k,O,A)=>{[i,r]=Bn(d,i,r);let y=u.pxRound,M=U=>y(v(U,_,O,w)),x=U=>y(m(U,p,A,k)),W,L,F;_.ori==0?(W=qn,F=Ul,L=ca):(W=Yn,F=Kl,L=fa);let G=_.dir*(_.ori==0?1:-1),Y=M(f[G==1?i:r]),V=Y,T=[],N=[];for(let U=G==1?i:r;U>=i&&U<=r;U+=G)if(d[U]!=null){let Se=f[U],te=M(Se);T.push(V=te),N.push(x(d[U]))}let z={stroke:e(T,N,W,F,L,y),fill:null,clip:null,band:null,gaps:null,flags:jl},K=z.stroke,[H,ee]=mi(n,s);if(u.fill!=null||H!=0){let U=z.fill=new Path2D(K),Ye=u.fillTo(n,s,u.min,u.max,H),Se=x(Ye);F(U,V,Se),F(U,Y,Se)}if(!u.spanGaps){let U=[];U.push(...gi(f,d,i,r,G,M,t)),z.gaps=U=u.gaps(n,s,i,r,U),z.clip=Kn(U,_.ori,w,k,O,A)}return ee!=0&&(z.band=ee==2?[Rt(n,s,i,r,K,-1),Rt(n,s,i,r,K,1)]:Rt(n,s,i,r,K,ee)),z})}function Ef(e){return Mf(kf,e)}function kf(e,l,t,n,s,i){let r=e.length;if(r<2)return null;let u=new Path2D;if(t(u,e[0],l[0]),r==2)n(u,e[1],l[1]);else{let f=Array(r),d=Array(r-1),_=Array(r-1),p=Array(r-1);for(let v=0;v<r-1;v++)_[v]=l[v+1]-l[v],p[v]=e[v+1]-e[v],d[v]=_[v]/p[v];f[0]=d[0];for(let v=1;v<r-1;v++)d[v]===0||d[v-1]===0||d[v-1]>0!=d[v]>0?f[v]=0:(f[v]=3*(p[v-1]+p[v])/((2*p[v]+p[v-1])/d[v-1]+(p[v]+2*p[v-1])/d[v]),isFinite(f[v])||(f[v]=0));f[r-1]=d[r-2];for(let v=0;v<r-1;v++)s(u,e[v]+p[v]/3,l[v]+f[v]*p[v]/3,e[v+1]-p[v]/3,l[v+1]-f[v+1]*p[v]/3,e[v+1],l[v+1])}return u}var ni=new Set;function Ar(){for(let e of ni)e.syncRect(!0)}Gl&&(fl(ic,Vl,Ar),fl(oc,Vl,Ar,!0),fl(Vn,Vl,()=>{He.pxRatio=oe}));var Of=_a(),Tf=ha();function Cr(e,l,t,n){return(n?[e[0],e[1]].concat(e.slice(2)):[e[0]].concat(e.slice(1))).map((i,r)=>si(i,r,l,t))}function Af(e,l){return e.map((t,n)=>n==0?{}:Oe({},l,t))}function si(e,l,t,n){return Oe({},l==0?t:n,e)}function pa(e,l,t){return l==null?Hl:[l,t]}var Cf=pa;function Lf(e,l,t){return l==null?Hl:Nn(l,t,ui,!0)}function ma(e,l,t,n){return l==null?Hl:jn(l,t,e.scales[n].log,!1)}var zf=ma;function ga(e,l,t,n){return l==null?Hl:ai(l,t,e.scales[n].log,!1)}var Df=ga;function Pf(e,l,t,n,s){let i=qe(ar(e),ar(l)),r=l-e,u=St(s/n*r,t);do{let f=t[u],d=n*f/r;if(d>=s&&i+(f<5?Yt.get(f):0)<=17)return[f,d]}while(++u<t.length);return[0,0]}function Lr(e){let l,t;return e=e.replace(/(\d+)px/,(n,s)=>(l=Ce((t=+s)*oe))+"px"),[e,l,t]}function If(e){e.show&&[e.font,e.labelFont].forEach(l=>{let t=he(l[2]*oe,1);l[0]=l[0].replace(/[0-9.]+px/,t+"px"),l[1]=t})}function He(e,l,t){let n={mode:se(e.mode,1)},s=n.mode;function i(o,a,c,h){let g=a.valToPct(o);return h+c*(a.dir==-1?1-g:g)}function r(o,a,c,h){let g=a.valToPct(o);return h+c*(a.dir==-1?g:1-g)}function u(o,a,c,h){return a.ori==0?i(o,a,c,h):r(o,a,c,h)}n.valToPosH=i,n.valToPosV=r;let f=!1;n.status=0;let d=n.root=ft(Hu);if(e.id!=null&&(d.id=e.id),lt(d,e.class),e.title){let o=ft(Gu,d);o.textContent=e.title}let _=vt("canvas"),p=n.ctx=_.getContext("2d"),v=ft(Uu,d);fl("click",v,o=>{o.target===w&&(_e!=Tl||we!=Al)&&Ve.click(n,o)},!0);let m=n.under=ft(Ku,v);v.appendChild(_);let w=n.over=ft(qu,v);e=Bl(e);let k=+se(e.pxAlign,1),O=Or(k);(e.plugins||[]).forEach(o=>{o.opts&&(e=o.opts(n,e)||e)});let A=e.ms||.001,y=n.series=s==1?Cr(e.series||[],yr,Er,!1):Af(e.series||[null],Mr),M=n.axes=Cr(e.axes||[],Sr,br,!0),x=n.scales={},W=n.bands=e.bands||[];W.forEach(o=>{o.fill=X(o.fill||null),o.dir=se(o.dir,-1)});let L=s==2?y[1].facets[0].scale:y[0].scale,F={axes:Da,series:Ta},G=(e.drawOrder||["axes","series"]).map(o=>F[o]);function Y(o){let a=o.distr==3?c=>It(c>0?c:o.clamp(n,c,o.min,o.max,o.key)):o.distr==4?c=>Us(c,o.asinh):o.distr==100?c=>o.fwd(c):c=>c;return c=>{let h=a(c),{_min:g,_max:S}=o,b=S-g;return(h-g)/b}}function V(o){let a=x[o];if(a==null){let c=(e.scales||hn)[o]||hn;if(c.from!=null){V(c.from);let h=Oe({},x[c.from],c,{key:o});h.valToPct=Y(h),x[o]=h}else{a=x[o]=Oe({},o==L?ia:gf,c),a.key=o;let h=a.time,g=a.range,S=qt(g);if((o!=L||s==2&&!h)&&(S&&(g[0]==null||g[1]==null)&&(g={min:g[0]==null?ir:{mode:1,hard:g[0],soft:g[0]},max:g[1]==null?ir:{mode:1,hard:g[1],soft:g[1]}},S=!1),!S&&Un(g))){let b=g;g=(E,C,D)=>C==null?Hl:Nn(C,D,b)}a.range=X(g||(h?Cf:o==L?a.distr==3?zf:a.distr==4?Df:pa:a.distr==3?ma:a.distr==4?ga:Lf)),a.auto=X(S?!1:a.auto),a.clamp=X(a.clamp||mf),a._min=a._max=null,a.valToPct=Y(a)}}}V("x"),V("y"),s==1&&y.forEach(o=>{V(o.scale)}),M.forEach(o=>{V(o.scale)});for(let o in e.scales)V(o);let T=x[L],N=T.distr,z,K;T.ori==0?(lt(d,Bu),z=i,K=r):(lt(d,ju),z=r,K=i);let H={};for(let o in x){let a=x[o];(a.min!=null||a.max!=null)&&(H[o]={min:a.min,max:a.max},a.min=a.max=null)}let ee=e.tzDate||(o=>new Date(Ce(o/A))),U=e.fmtDate||hi,Ye=A==1?Bc(ee):Uc(ee),Se=mr(ee,pr(A==1?Hc:Gc,U)),te=vr(ee,gr(qc,U)),ue=[],Z=n.legend=Oe({},Jc,e.legend),B=n.cursor=Oe({},lf,{drag:{y:s==2}},e.cursor),Te=Z.show,Be=B.show,ye=Z.markers;Z.idxs=ue,ye.width=X(ye.width),ye.dash=X(ye.dash),ye.stroke=X(ye.stroke),ye.fill=X(ye.fill);let re,dt,Ze,be=[],wt=[],Ct,it=!1,Ft={};if(Z.live){let o=y[1]?y[1].values:null;it=o!=null,Ct=it?o(n,1,0):{_:0};for(let a in Ct)Ft[a]=oi}if(Te)if(re=vt("table",Xu,d),Ze=vt("tbody",null,re),Z.mount(n,re),it){dt=vt("thead",null,re,Ze);let o=vt("tr",null,dt);vt("th",null,o);for(var _l in Ct)vt("th",Ko,o).textContent=_l}else lt(re,tc),Z.live&&lt(re,ec);let pl={show:!0},ql={show:!1};function _n(o,a){if(a==0&&(it||!Z.live||s==2))return Hl;let c=[],h=vt("tr",lc,Ze,Ze.childNodes[a]);lt(h,o.class),o.show||lt(h,cl);let g=vt("th",null,h);if(ye.show){let E=ft(nc,g);if(a>0){let C=ye.width(n,a);C&&(E.style.border=C+"px "+ye.dash(n,a)+" "+ye.stroke(n,a)),E.style.background=ye.fill(n,a)}}let S=ft(Ko,g);o.label instanceof HTMLElement?S.appendChild(o.label):S.textContent=o.label,a>0&&(ye.show||(S.style.color=o.width>0?ye.stroke(n,a):ye.fill(n,a)),je("click",g,E=>{if(B._lock)return;el(E);let C=y.indexOf(o);if((E.ctrlKey||E.metaKey)!=Z.isolate){let D=y.some((P,R)=>R>0&&R!=C&&P.show);y.forEach((P,R)=>{R>0&&Mt(R,D?R==C?pl:ql:pl,!0,ke.setSeries)})}else Mt(C,{show:!o.show},!0,ke.setSeries)},!1),Sl&&je(Jo,g,E=>{B._lock||(el(E),Mt(y.indexOf(o),Ll,!0,ke.setSeries))},!1));for(var b in Ct){let E=vt("td",sc,h);E.textContent="--",c.push(E)}return[h,c]}let $t=new Map;function je(o,a,c,h=!0){let g=$t.get(a)||{},S=B.bind[o](n,a,c,h);S&&(fl(o,a,g[o]=S),$t.set(a,g))}function ml(o,a,c){let h=$t.get(a)||{};for(let g in h)(o==null||g==o)&&(Qs(g,a,h[g]),delete h[g]);o==null&&$t.delete(a)}let Lt=0,Jt=0,J=0,I=0,de=0,Ae=0,gl=de,Zt=Ae,bt=J,Qt=I,Qe=0,ot=0,$e=0,_t=0;n.bbox={};let Jn=!1,pn=!1,vl=!1,Xt=!1,mn=!1,rt=!1;function Zn(o,a,c){(c||o!=n.width||a!=n.height)&&yi(o,a),Ml(!1),vl=!0,pn=!0,El()}function yi(o,a){n.width=Lt=J=o,n.height=Jt=I=a,de=Ae=0,wa(),ba();let c=n.bbox;Qe=c.left=al(de*oe,.5),ot=c.top=al(Ae*oe,.5),$e=c.width=al(J*oe,.5),_t=c.height=al(I*oe,.5)}let va=3;function Sa(){let o=!1,a=0;for(;!o;){a++;let c=La(a),h=za(a);o=a==va||c&&h,o||(yi(n.width,n.height),pn=!0)}}function ya({width:o,height:a}){Zn(o,a)}n.setSize=ya;function wa(){let o=!1,a=!1,c=!1,h=!1;M.forEach((g,S)=>{if(g.show&&g._show){let{side:b,_size:E}=g,C=b%2,D=g.label!=null?g.labelSize:0,P=E+D;P>0&&(C?(J-=P,b==3?(de+=P,h=!0):c=!0):(I-=P,b==0?(Ae+=P,o=!0):a=!0))}}),tl[0]=o,tl[1]=c,tl[2]=a,tl[3]=h,J-=Wt[1]+Wt[3],de+=Wt[3],I-=Wt[2]+Wt[0],Ae+=Wt[0]}function ba(){let o=de+J,a=Ae+I,c=de,h=Ae;function g(S,b){switch(S){case 1:return o+=b,o-b;case 2:return a+=b,a-b;case 3:return c-=b,c+b;case 0:return h-=b,h+b}}M.forEach((S,b)=>{if(S.show&&S._show){let E=S.side;S._pos=g(E,S._size),S.label!=null&&(S._lpos=g(E,S.labelSize))}})}if(B.dataIdx==null){let o=B.hover,a=o.skip=new Set(o.skip??[]);a.add(void 0);let c=o.prox=X(o.prox),h=o.bias??=0;B.dataIdx=(g,S,b,E)=>{if(S==0)return b;let C=b,D=c(g,S,b,E)??fe,P=D>=0&&D<fe,R=T.ori==0?J:I,$=B.left,ie=l[0],le=l[S];if(a.has(le[b])){C=null;let Q=null,q=null,j;if(h==0||h==-1)for(j=b;Q==null&&j-- >0;)a.has(le[j])||(Q=j);if(h==0||h==1)for(j=b;q==null&&j++<le.length;)a.has(le[j])||(q=j);if(Q!=null||q!=null)if(P){let me=Q==null?-1/0:z(ie[Q],T,R,0),Me=q==null?1/0:z(ie[q],T,R,0),Fe=$-me,ce=Me-$;Fe<=ce?Fe<=D&&(C=Q):ce<=D&&(C=q)}else C=q==null?Q:Q==null?q:b-Q<=q-b?Q:q}else P&&Le($-z(ie[b],T,R,0))>D&&(C=null);return C}}let el=o=>{B.event=o};B.idxs=ue,B._lock=!1;let Ne=B.points;Ne.show=X(Ne.show),Ne.size=X(Ne.size),Ne.stroke=X(Ne.stroke),Ne.width=X(Ne.width),Ne.fill=X(Ne.fill);let xt=n.focus=Oe({},e.focus||{alpha:.3},B.focus),Sl=xt.prox>=0,yl=Sl&&Ne.one,at=[],wl=[],bl=[];function wi(o,a){let c=Ne.show(n,a);if(c instanceof HTMLElement)return lt(c,Qu),lt(c,o.class),At(c,-10,-10,J,I),w.insertBefore(c,at[a]),c}function bi(o,a){if(s==1||a>0){let c=s==1&&x[o.scale].time,h=o.value;o.value=c?fr(h)?vr(ee,gr(h,U)):h||te:h||df,o.label=o.label||(c?sf:nf)}if(yl||a>0){o.width=o.width==null?1:o.width,o.paths=o.paths||Of||mc,o.fillTo=X(o.fillTo||vf),o.pxAlign=+se(o.pxAlign,k),o.pxRound=Or(o.pxAlign),o.stroke=X(o.stroke||null),o.fill=X(o.fill||null),o._stroke=o._fill=o._paths=o._focus=null;let c=_f(qe(1,o.width),1),h=o.points=Oe({},{size:c,width:qe(1,c*.2),stroke:o.stroke,space:c*2,paths:Tf,_stroke:null,_fill:null},o.points);h.show=X(h.show),h.filter=X(h.filter),h.fill=X(h.fill),h.stroke=X(h.stroke),h.paths=X(h.paths),h.pxAlign=o.pxAlign}if(Te){let c=_n(o,a);be.splice(a,0,c[0]),wt.splice(a,0,c[1]),Z.values.push(null)}if(Be){ue.splice(a,0,null);let c=null;yl?a==0&&(c=wi(o,a)):a>0&&(c=wi(o,a)),at.splice(a,0,c),wl.splice(a,0,0),bl.splice(a,0,0)}Re("addSeries",a)}function xa(o,a){a=a??y.length,o=s==1?si(o,a,yr,Er):si(o,a,{},Mr),y.splice(a,0,o),bi(y[a],a)}n.addSeries=xa;function Ma(o){if(y.splice(o,1),Te){Z.values.splice(o,1),wt.splice(o,1);let a=be.splice(o,1)[0];ml(null,a.firstChild),a.remove()}Be&&(ue.splice(o,1),at.splice(o,1)[0].remove(),wl.splice(o,1),bl.splice(o,1)),Re("delSeries",o)}n.delSeries=Ma;let tl=[!1,!1,!1,!1];function Ea(o,a){if(o._show=o.show,o.show){let c=o.side%2,h=x[o.scale];h==null&&(o.scale=c?y[1].scale:L,h=x[o.scale]);let g=h.time;o.size=X(o.size),o.space=X(o.space),o.rotate=X(o.rotate),qt(o.incrs)&&o.incrs.forEach(b=>{!Yt.has(b)&&Yt.set(b,Nr(b))}),o.incrs=X(o.incrs||(h.distr==2?Wc:g?A==1?Nc:jc:ul)),o.splits=X(o.splits||(g&&h.distr==1?Ye:h.distr==3?ei:h.distr==4?af:rf)),o.stroke=X(o.stroke),o.grid.stroke=X(o.grid.stroke),o.ticks.stroke=X(o.ticks.stroke),o.border.stroke=X(o.border.stroke);let S=o.values;o.values=qt(S)&&!qt(S[0])?X(S):g?qt(S)?mr(ee,pr(S,U)):fr(S)?Kc(ee,S):S||Se:S||of,o.filter=X(o.filter||(h.distr>=3&&h.log==10?ff:h.distr==3&&h.log==2?hf:Wr)),o.font=Lr(o.font),o.labelFont=Lr(o.labelFont),o._size=o.size(n,null,a,0),o._space=o._rotate=o._incrs=o._found=o._splits=o._values=null,o._size>0&&(tl[a]=!0,o._el=ft(Yu,v))}}function Yl(o,a,c,h){let[g,S,b,E]=c,C=a%2,D=0;return C==0&&(E||S)&&(D=a==0&&!g||a==2&&!b?Ce(Sr.size/3):0),C==1&&(g||b)&&(D=a==1&&!S||a==3&&!E?Ce(br.size/2):0),D}let xi=n.padding=(e.padding||[Yl,Yl,Yl,Yl]).map(o=>X(se(o,Yl))),Wt=n._padding=xi.map((o,a)=>o(n,a,tl,0)),We,ze=null,De=null,gn=s==1?y[0].idxs:null,pt=null,$l=!1;function Mi(o,a){if(l=o??[],n.data=n._data=l,s==2){We=0;for(let c=1;c<y.length;c++)We+=l[c][0].length}else{l.length==0&&(n.data=n._data=l=[[]]),pt=l[0],We=pt.length;let c=l;if(N==2){c=l.slice();let h=c[0]=Array(We);for(let g=0;g<We;g++)h[g]=g}n._data=l=c}if(Ml(!0),Re("setData"),N==2&&(vl=!0),a!==!1){let c=T;c.auto(n,$l)?Qn():Nt(L,c.min,c.max),Xt=Xt||B.left>=0,rt=!0,El()}}n.setData=Mi;function Qn(){$l=!0;let o,a;s==1&&(We>0?(ze=gn[0]=0,De=gn[1]=We-1,o=l[0][ze],a=l[0][De],N==2?(o=ze,a=De):o==a&&(N==3?[o,a]=jn(o,o,T.log,!1):N==4?[o,a]=ai(o,o,T.log,!1):T.time?a=o+Ce(86400/A):[o,a]=Nn(o,a,ui,!0))):(ze=gn[0]=o=null,De=gn[1]=a=null)),Nt(L,o,a)}let vn,xl,Xn,es,ts,ls,ns,ss,is,Je;function Ei(o,a,c,h,g,S){o??=Yo,c??=fi,h??="butt",g??=Yo,S??="round",o!=vn&&(p.strokeStyle=vn=o),g!=xl&&(p.fillStyle=xl=g),a!=Xn&&(p.lineWidth=Xn=a),S!=ts&&(p.lineJoin=ts=S),h!=ls&&(p.lineCap=ls=h),c!=es&&p.setLineDash(es=c)}function ki(o,a,c,h){a!=xl&&(p.fillStyle=xl=a),o!=ns&&(p.font=ns=o),c!=ss&&(p.textAlign=ss=c),h!=is&&(p.textBaseline=is=h)}function os(o,a,c,h,g=0){if(h.length>0&&o.auto(n,$l)&&(a==null||a.min==null)){let S=se(ze,0),b=se(De,h.length-1),E=c.min==null?cc(h,S,b,g,o.distr==3):[c.min,c.max];o.min=yt(o.min,c.min=E[0]),o.max=qe(o.max,c.max=E[1])}}let Oi={min:null,max:null};function ka(){for(let h in x){let g=x[h];H[h]==null&&(g.min==null||H[L]!=null&&g.auto(n,$l))&&(H[h]=Oi)}for(let h in x){let g=x[h];H[h]==null&&g.from!=null&&H[g.from]!=null&&(H[h]=Oi)}H[L]!=null&&Ml(!0);let o={};for(let h in H){let g=H[h];if(g!=null){let S=o[h]=Bl(x[h],Sc);if(g.min!=null)Oe(S,g);else if(h!=L||s==2)if(We==0&&S.from==null){let b=S.range(n,null,null,h);S.min=b[0],S.max=b[1]}else S.min=fe,S.max=-fe}}if(We>0){y.forEach((h,g)=>{if(s==1){let S=h.scale,b=H[S];if(b==null)return;let E=o[S];if(g==0){let C=E.range(n,E.min,E.max,S);E.min=C[0],E.max=C[1],ze=St(E.min,l[0]),De=St(E.max,l[0]),De-ze>1&&(l[0][ze]<E.min&&ze++,l[0][De]>E.max&&De--),h.min=pt[ze],h.max=pt[De]}else h.show&&h.auto&&os(E,b,h,l[g],h.sorted);h.idxs[0]=ze,h.idxs[1]=De}else if(g>0&&h.show&&h.auto){let[S,b]=h.facets,E=S.scale,C=b.scale,[D,P]=l[g],R=o[E],$=o[C];R!=null&&os(R,H[E],S,D,S.sorted),$!=null&&os($,H[C],b,P,b.sorted),h.min=b.min,h.max=b.max}});for(let h in o){let g=o[h],S=H[h];if(g.from==null&&(S==null||S.min==null)){let b=g.range(n,g.min==fe?null:g.min,g.max==-fe?null:g.max,h);g.min=b[0],g.max=b[1]}}}for(let h in o){let g=o[h];if(g.from!=null){let S=o[g.from];if(S.min==null)g.min=g.max=null;else{let b=g.range(n,S.min,S.max,h);g.min=b[0],g.max=b[1]}}}let a={},c=!1;for(let h in o){let g=o[h],S=x[h];if(S.min!=g.min||S.max!=g.max){S.min=g.min,S.max=g.max;let b=S.distr;S._min=b==3?It(S.min):b==4?Us(S.min,S.asinh):b==100?S.fwd(S.min):S.min,S._max=b==3?It(S.max):b==4?Us(S.max,S.asinh):b==100?S.fwd(S.max):S.max,a[h]=c=!0}}if(c){y.forEach((h,g)=>{s==2?g>0&&a.y&&(h._paths=null):a[h.scale]&&(h._paths=null)});for(let h in a)vl=!0,Re("setScale",h);Be&&B.left>=0&&(Xt=rt=!0)}for(let h in H)H[h]=null}function Oa(o){let a=Xs(ze-1,0,We-1),c=Xs(De+1,0,We-1);for(;o[a]==null&&a>0;)a--;for(;o[c]==null&&c<We-1;)c++;return[a,c]}function Ta(){if(We>0){let o=y.some(a=>a._focus)&&Je!=xt.alpha;o&&(p.globalAlpha=Je=xt.alpha),y.forEach((a,c)=>{if(c>0&&a.show&&(Ti(c,!1),Ti(c,!0),a._paths==null)){let h=Je;Je!=a.alpha&&(p.globalAlpha=Je=a.alpha);let g=s==2?[0,l[c][0].length-1]:Oa(l[c]);a._paths=a.paths(n,c,g[0],g[1]),Je!=h&&(p.globalAlpha=Je=h)}}),y.forEach((a,c)=>{if(c>0&&a.show){let h=Je;Je!=a.alpha&&(p.globalAlpha=Je=a.alpha),a._paths!=null&&Ai(c,!1);{let g=a._paths!=null?a._paths.gaps:null,S=a.points.show(n,c,ze,De,g),b=a.points.filter(n,c,S,g);(S||b)&&(a.points._paths=a.points.paths(n,c,ze,De,b),Ai(c,!0))}Je!=h&&(p.globalAlpha=Je=h),Re("drawSeries",c)}}),o&&(p.globalAlpha=Je=1)}}function Ti(o,a){let c=a?y[o].points:y[o];c._stroke=c.stroke(n,o),c._fill=c.fill(n,o)}function Ai(o,a){let c=a?y[o].points:y[o],{stroke:h,fill:g,clip:S,flags:b,_stroke:E=c._stroke,_fill:C=c._fill,_width:D=c.width}=c._paths;D=he(D*oe,3);let P=null,R=D%2/2;a&&C==null&&(C=D>0?"#fff":E);let $=c.pxAlign==1&&R>0;if($&&p.translate(R,R),!a){let ie=Qe-D/2,le=ot-D/2,Q=$e+D,q=_t+D;P=new Path2D,P.rect(ie,le,Q,q)}a?rs(E,D,c.dash,c.cap,C,h,g,b,S):Aa(o,E,D,c.dash,c.cap,C,h,g,b,P,S),$&&p.translate(-R,-R)}function Aa(o,a,c,h,g,S,b,E,C,D,P){let R=!1;C!=0&&W.forEach(($,ie)=>{if($.series[0]==o){let le=y[$.series[1]],Q=l[$.series[1]],q=(le._paths||hn).band;qt(q)&&(q=$.dir==1?q[0]:q[1]);let j,me=null;le.show&&q&&hc(Q,ze,De)?(me=$.fill(n,ie)||S,j=le._paths.clip):q=null,rs(a,c,h,g,me,b,E,C,D,P,j,q),R=!0}}),R||rs(a,c,h,g,S,b,E,C,D,P)}let Ci=jl|li;function rs(o,a,c,h,g,S,b,E,C,D,P,R){Ei(o,a,c,h,g),(C||D||R)&&(p.save(),C&&p.clip(C),D&&p.clip(D)),R?(E&Ci)==Ci?(p.clip(R),P&&p.clip(P),yn(g,b),Sn(o,S,a)):E&li?(yn(g,b),p.clip(R),Sn(o,S,a)):E&jl&&(p.save(),p.clip(R),P&&p.clip(P),yn(g,b),p.restore(),Sn(o,S,a)):(yn(g,b),Sn(o,S,a)),(C||D||R)&&p.restore()}function Sn(o,a,c){c>0&&(a instanceof Map?a.forEach((h,g)=>{p.strokeStyle=vn=g,p.stroke(h)}):a!=null&&o&&p.stroke(a))}function yn(o,a){a instanceof Map?a.forEach((c,h)=>{p.fillStyle=xl=h,p.fill(c)}):a!=null&&o&&p.fill(a)}function Ca(o,a,c,h){let g=M[o],S;if(h<=0)S=[0,0];else{let b=g._space=g.space(n,o,a,c,h),E=g._incrs=g.incrs(n,o,a,c,h,b);S=Pf(a,c,E,h,b)}return g._found=S}function as(o,a,c,h,g,S,b,E,C,D){let P=b%2/2;k==1&&p.translate(P,P),Ei(E,b,C,D,E),p.beginPath();let R,$,ie,le,Q=g+(h==0||h==3?-S:S);c==0?($=g,le=Q):(R=g,ie=Q);for(let q=0;q<o.length;q++)a[q]!=null&&(c==0?R=ie=o[q]:$=le=o[q],p.moveTo(R,$),p.lineTo(ie,le));p.stroke(),k==1&&p.translate(-P,-P)}function La(o){let a=!0;return M.forEach((c,h)=>{if(!c.show)return;let g=x[c.scale];if(g.min==null){c._show&&(a=!1,c._show=!1,Ml(!1));return}else c._show||(a=!1,c._show=!0,Ml(!1));let S=c.side,b=S%2,{min:E,max:C}=g,[D,P]=Ca(h,E,C,b==0?J:I);if(P==0)return;let R=g.distr==2,$=c._splits=c.splits(n,h,E,C,D,P,R),ie=g.distr==2?$.map(j=>pt[j]):$,le=g.distr==2?pt[$[1]]-pt[$[0]]:D,Q=c._values=c.values(n,c.filter(n,ie,h,P,le),h,P,le);c._rotate=S==2?c.rotate(n,Q,h,P):0;let q=c._size;c._size=ht(c.size(n,Q,h,o)),q!=null&&c._size!=q&&(a=!1)}),a}function za(o){let a=!0;return xi.forEach((c,h)=>{let g=c(n,h,tl,o);g!=Wt[h]&&(a=!1),Wt[h]=g}),a}function Da(){for(let o=0;o<M.length;o++){let a=M[o];if(!a.show||!a._show)continue;let c=a.side,h=c%2,g,S,b=a.stroke(n,o),E=c==0||c==3?-1:1,[C,D]=a._found;if(a.label!=null){let Ue=a.labelGap*E,tt=Ce((a._lpos+Ue)*oe);ki(a.labelFont[0],b,"center",c==2?"top":qo),p.save(),h==1?(g=S=0,p.translate(tt,Ce(ot+_t/2)),p.rotate((c==3?-Wn:Wn)/2)):(g=Ce(Qe+$e/2),S=tt);let sl=Rr(a.label)?a.label(n,o,C,D):a.label;p.fillText(sl,g,S),p.restore()}if(D==0)continue;let P=x[a.scale],R=h==0?$e:_t,$=h==0?Qe:ot,ie=a._splits,le=P.distr==2?ie.map(Ue=>pt[Ue]):ie,Q=P.distr==2?pt[ie[1]]-pt[ie[0]]:C,q=a.ticks,j=a.border,me=q.show?q.size:0,Me=Ce(me*oe),Fe=Ce((a.alignTo==2?a._size-me-a.gap:a.gap)*oe),ce=a._rotate*-Wn/180,Ee=O(a._pos*oe),Xe=(Me+Fe)*E,Ge=Ee+Xe;S=h==0?Ge:0,g=h==1?Ge:0;let ut=a.font[0],mt=a.align==1?Fl:a.align==2?Bs:ce>0?Fl:ce<0?Bs:h==0?"center":c==3?Bs:Fl,kt=ce||h==1?"middle":c==2?"top":qo;ki(ut,b,mt,kt);let et=a.font[1]*a.lineGap,ct=ie.map(Ue=>O(u(Ue,P,R,$))),gt=a._values;for(let Ue=0;Ue<gt.length;Ue++){let tt=gt[Ue];if(tt!=null){h==0?g=ct[Ue]:S=ct[Ue],tt=""+tt;let sl=tt.indexOf(`
`)==-1?[tt]:tt.split(/\n/gm);for(let Ke=0;Ke<sl.length;Ke++){let $i=sl[Ke];ce?(p.save(),p.translate(g,S+Ke*et),p.rotate(ce),p.fillText($i,0,0),p.restore()):p.fillText($i,g,S+Ke*et)}}}q.show&&as(ct,q.filter(n,le,o,D,Q),h,c,Ee,Me,he(q.width*oe,3),q.stroke(n,o),q.dash,q.cap);let Ot=a.grid;Ot.show&&as(ct,Ot.filter(n,le,o,D,Q),h,h==0?2:1,h==0?ot:Qe,h==0?_t:$e,he(Ot.width*oe,3),Ot.stroke(n,o),Ot.dash,Ot.cap),j.show&&as([Ee],[1],h==0?1:0,h==0?1:2,h==1?ot:Qe,h==1?_t:$e,he(j.width*oe,3),j.stroke(n,o),j.dash,j.cap)}Re("drawAxes")}function Ml(o){y.forEach((a,c)=>{c>0&&(a._paths=null,o&&(s==1?(a.min=null,a.max=null):a.facets.forEach(h=>{h.min=null,h.max=null})))})}let wn=!1,us=!1,Jl=[];function Pa(){us=!1;for(let o=0;o<Jl.length;o++)Re(...Jl[o]);Jl.length=0}function El(){wn||(kc(Li),wn=!0)}function Ia(o,a=!1){wn=!0,us=a,o(n),Li(),a&&Jl.length>0&&queueMicrotask(Pa)}n.batch=Ia;function Li(){if(Jn&&(ka(),Jn=!1),vl&&(Sa(),vl=!1),pn){if(ve(m,Fl,de),ve(m,"top",Ae),ve(m,an,J),ve(m,un,I),ve(w,Fl,de),ve(w,"top",Ae),ve(w,an,J),ve(w,un,I),ve(v,an,Lt),ve(v,un,Jt),_.width=Ce(Lt*oe),_.height=Ce(Jt*oe),M.forEach(({_el:o,_show:a,_size:c,_pos:h,side:g})=>{if(o!=null)if(a){let S=g===3||g===0?c:0,b=g%2==1;ve(o,b?"left":"top",h-S),ve(o,b?"width":"height",c),ve(o,b?"top":"left",b?Ae:de),ve(o,b?"height":"width",b?I:J),Zs(o,cl)}else lt(o,cl)}),vn=xl=Xn=ts=ls=ns=ss=is=es=null,Je=1,Xl(!0),de!=gl||Ae!=Zt||J!=bt||I!=Qt){Ml(!1);let o=J/bt,a=I/Qt;if(Be&&!Xt&&B.left>=0){B.left*=o,B.top*=a,kl&&At(kl,Ce(B.left),0,J,I),Ol&&At(Ol,0,Ce(B.top),J,I);for(let c=0;c<at.length;c++){let h=at[c];h!=null&&(wl[c]*=o,bl[c]*=a,At(h,ht(wl[c]),ht(bl[c]),J,I))}}if(pe.show&&!mn&&pe.left>=0&&pe.width>0){pe.left*=o,pe.width*=o,pe.top*=a,pe.height*=a;for(let c in ps)ve(Cl,c,pe[c])}gl=de,Zt=Ae,bt=J,Qt=I}Re("setSize"),pn=!1}Lt>0&&Jt>0&&(p.clearRect(0,0,_.width,_.height),Re("drawClear"),G.forEach(o=>o()),Re("draw")),pe.show&&mn&&(bn(pe),mn=!1),Be&&Xt&&(nl(null,!0,!1),Xt=!1),Z.show&&Z.live&&rt&&(ds(),rt=!1),f||(f=!0,n.status=1,Re("ready")),$l=!1,wn=!1}n.redraw=(o,a)=>{vl=a||!1,o!==!1?Nt(L,T.min,T.max):El()};function cs(o,a){let c=x[o];if(c.from==null){if(We==0){let h=c.range(n,a.min,a.max,o);a.min=h[0],a.max=h[1]}if(a.min>a.max){let h=a.min;a.min=a.max,a.max=h}if(We>1&&a.min!=null&&a.max!=null&&a.max-a.min<1e-16)return;o==L&&c.distr==2&&We>0&&(a.min=St(a.min,l[0]),a.max=St(a.max,l[0]),a.min==a.max&&a.max++),H[o]=a,Jn=!0,El()}}n.setScale=cs;let fs,hs,kl,Ol,zi,Di,Tl,Al,Pi,Ii,_e,we,Vt=!1,Ve=B.drag,Pe=Ve.x,Ie=Ve.y;Be&&(B.x&&(fs=ft(Ju,w)),B.y&&(hs=ft(Zu,w)),T.ori==0?(kl=fs,Ol=hs):(kl=hs,Ol=fs),_e=B.left,we=B.top);let pe=n.select=Oe({show:!0,over:!0,left:0,width:0,top:0,height:0},e.select),Cl=pe.show?ft($u,pe.over?w:m):null;function bn(o,a){if(pe.show){for(let c in o)pe[c]=o[c],c in ps&&ve(Cl,c,o[c]);a!==!1&&Re("setSelect")}}n.setSelect=bn;function Ra(o){if(y[o].show)Te&&Zs(be[o],cl);else if(Te&&lt(be[o],cl),Be){let c=yl?at[0]:at[o];c!=null&&At(c,-10,-10,J,I)}}function Nt(o,a,c){cs(o,{min:a,max:c})}function Mt(o,a,c,h){a.focus!=null&&Ha(o),a.show!=null&&y.forEach((g,S)=>{S>0&&(o==S||o==null)&&(g.show=a.show,Ra(S),s==2?(Nt(g.facets[0].scale,null,null),Nt(g.facets[1].scale,null,null)):Nt(g.scale,null,null),El())}),c!==!1&&Re("setSeries",o,a),h&&en("setSeries",n,o,a)}n.setSeries=Mt;function Fa(o,a){Oe(W[o],a)}function Wa(o,a){o.fill=X(o.fill||null),o.dir=se(o.dir,-1),a=a??W.length,W.splice(a,0,o)}function Va(o){o==null?W.length=0:W.splice(o,1)}n.addBand=Wa,n.setBand=Fa,n.delBand=Va;function Na(o,a){y[o].alpha=a,Be&&at[o]!=null&&(at[o].style.opacity=a),Te&&be[o]&&(be[o].style.opacity=a)}let zt,Ht,ll,Ll={focus:!0};function Ha(o){if(o!=ll){let a=o==null,c=xt.alpha!=1;y.forEach((h,g)=>{if(s==1||g>0){let S=a||g==0||g==o;h._focus=a?null:S,c&&Na(g,S?1:xt.alpha)}}),ll=o,c&&El()}}Te&&Sl&&je(Zo,re,o=>{B._lock||(el(o),ll!=null&&Mt(null,Ll,!0,ke.setSeries))});function Et(o,a,c){let h=x[a];c&&(o=o/oe-(h.ori==1?Ae:de));let g=J;h.ori==1&&(g=I,o=g-o),h.dir==-1&&(o=g-o);let S=h._min,b=h._max,E=o/g,C=S+(b-S)*E,D=h.distr;return D==3?Nl(10,C):D==4?_c(C,h.asinh):D==100?h.bwd(C):C}function Ba(o,a){let c=Et(o,L,a);return St(c,l[0],ze,De)}n.valToIdx=o=>St(o,l[0]),n.posToIdx=Ba,n.posToVal=Et,n.valToPos=(o,a,c)=>x[a].ori==0?i(o,x[a],c?$e:J,c?Qe:0):r(o,x[a],c?_t:I,c?ot:0),n.setCursor=(o,a,c)=>{_e=o.left,we=o.top,nl(null,a,c)};function Ri(o,a){ve(Cl,Fl,pe.left=o),ve(Cl,an,pe.width=a)}function Fi(o,a){ve(Cl,"top",pe.top=o),ve(Cl,un,pe.height=a)}let Zl=T.ori==0?Ri:Fi,Ql=T.ori==1?Ri:Fi;function ja(){if(Te&&Z.live)for(let o=s==2?1:0;o<y.length;o++){if(o==0&&it)continue;let a=Z.values[o],c=0;for(let h in a)wt[o][c++].firstChild.nodeValue=a[h]}}function ds(o,a){if(o!=null&&(o.idxs?o.idxs.forEach((c,h)=>{ue[h]=c}):vc(o.idx)||ue.fill(o.idx),Z.idx=ue[0]),Te&&Z.live){for(let c=0;c<y.length;c++)(c>0||s==1&&!it)&&Ga(c,ue[c]);ja()}rt=!1,a!==!1&&Re("setLegend")}n.setLegend=ds;function Ga(o,a){let c=y[o],h=o==0&&N==2?pt:l[o],g;it?g=c.values(n,o,a)??Ft:(g=c.value(n,a==null?null:h[a],o,a),g=g==null?Ft:{_:g}),Z.values[o]=g}function nl(o,a,c){Pi=_e,Ii=we,[_e,we]=B.move(n,_e,we),B.left=_e,B.top=we,Be&&(kl&&At(kl,Ce(_e),0,J,I),Ol&&At(Ol,0,Ce(we),J,I));let h,g=ze>De;zt=fe,Ht=null;let S=T.ori==0?J:I,b=T.ori==1?J:I;if(_e<0||We==0||g){h=B.idx=null;for(let E=0;E<y.length;E++){let C=at[E];C!=null&&At(C,-10,-10,J,I)}Sl&&Mt(null,Ll,!0,o==null&&ke.setSeries),Z.live&&(ue.fill(h),rt=!0)}else{let E,C,D;s==1&&(E=T.ori==0?_e:we,C=Et(E,L),h=B.idx=St(C,l[0],ze,De),D=z(l[0][h],T,S,0));let P=-10,R=-10,$=0,ie=0,le=!0,Q="",q="";for(let j=s==2?1:0;j<y.length;j++){let me=y[j],Me=ue[j],Fe=Me==null?null:s==1?l[j][Me]:l[j][1][Me],ce=B.dataIdx(n,j,h,C),Ee=ce==null?null:s==1?l[j][ce]:l[j][1][ce];if(rt=rt||Ee!=Fe||ce!=Me,ue[j]=ce,j>0&&me.show){let Xe=ce==null?-10:ce==h?D:z(s==1?l[0][ce]:l[j][0][ce],T,S,0),Ge=Ee==null?-10:K(Ee,s==1?x[me.scale]:x[me.facets[1].scale],b,0);if(Sl&&Ee!=null){let ut=T.ori==1?_e:we,mt=Le(xt.dist(n,j,ce,Ge,ut));if(mt<zt){let kt=xt.bias;if(kt!=0){let et=Et(ut,me.scale),ct=Ee>=0?1:-1,gt=et>=0?1:-1;gt==ct&&(gt==1?kt==1?Ee>=et:Ee<=et:kt==1?Ee<=et:Ee>=et)&&(zt=mt,Ht=j)}else zt=mt,Ht=j}}if(rt||yl){let ut,mt;T.ori==0?(ut=Xe,mt=Ge):(ut=Ge,mt=Xe);let kt,et,ct,gt,Ot,Ue,tt=!0,sl=Ne.bbox;if(sl!=null){tt=!1;let Ke=sl(n,j);ct=Ke.left,gt=Ke.top,kt=Ke.width,et=Ke.height}else ct=ut,gt=mt,kt=et=Ne.size(n,j);if(Ue=Ne.fill(n,j),Ot=Ne.stroke(n,j),yl)j==Ht&&zt<=xt.prox&&(P=ct,R=gt,$=kt,ie=et,le=tt,Q=Ue,q=Ot);else{let Ke=at[j];Ke!=null&&(wl[j]=ct,bl[j]=gt,sr(Ke,kt,et,tt),lr(Ke,Ue,Ot),At(Ke,ht(ct),ht(gt),J,I))}}}}if(yl){let j=xt.prox,me=ll==null?zt<=j:zt>j||Ht!=ll;if(rt||me){let Me=at[0];Me!=null&&(wl[0]=P,bl[0]=R,sr(Me,$,ie,le),lr(Me,Q,q),At(Me,ht(P),ht(R),J,I))}}}if(pe.show&&Vt)if(o!=null){let[E,C]=ke.scales,[D,P]=ke.match,[R,$]=o.cursor.sync.scales,ie=o.cursor.drag;if(Pe=ie._x,Ie=ie._y,Pe||Ie){let{left:le,top:Q,width:q,height:j}=o.select,me=o.scales[R].ori,Me=o.posToVal,Fe,ce,Ee,Xe,Ge,ut=E!=null&&D(E,R),mt=C!=null&&P(C,$);ut&&Pe?(me==0?(Fe=le,ce=q):(Fe=Q,ce=j),Ee=x[E],Xe=z(Me(Fe,R),Ee,S,0),Ge=z(Me(Fe+ce,R),Ee,S,0),Zl(yt(Xe,Ge),Le(Ge-Xe))):Zl(0,S),mt&&Ie?(me==1?(Fe=le,ce=q):(Fe=Q,ce=j),Ee=x[C],Xe=K(Me(Fe,$),Ee,b,0),Ge=K(Me(Fe+ce,$),Ee,b,0),Ql(yt(Xe,Ge),Le(Ge-Xe))):Ql(0,b)}else ms()}else{let E=Le(Pi-zi),C=Le(Ii-Di);if(T.ori==1){let $=E;E=C,C=$}Pe=Ve.x&&E>=Ve.dist,Ie=Ve.y&&C>=Ve.dist;let D=Ve.uni;D!=null?Pe&&Ie&&(Pe=E>=D,Ie=C>=D,!Pe&&!Ie&&(C>E?Ie=!0:Pe=!0)):Ve.x&&Ve.y&&(Pe||Ie)&&(Pe=Ie=!0);let P,R;Pe&&(T.ori==0?(P=Tl,R=_e):(P=Al,R=we),Zl(yt(P,R),Le(R-P)),Ie||Ql(0,b)),Ie&&(T.ori==1?(P=Tl,R=_e):(P=Al,R=we),Ql(yt(P,R),Le(R-P)),Pe||Zl(0,S)),!Pe&&!Ie&&(Zl(0,0),Ql(0,0))}if(Ve._x=Pe,Ve._y=Ie,o==null){if(c){if(Yi!=null){let[E,C]=ke.scales;ke.values[0]=E!=null?Et(T.ori==0?_e:we,E):null,ke.values[1]=C!=null?Et(T.ori==1?_e:we,C):null}en(js,n,_e,we,J,I,h)}if(Sl){let E=c&&ke.setSeries,C=xt.prox;ll==null?zt<=C&&Mt(Ht,Ll,!0,E):zt>C?Mt(null,Ll,!0,E):Ht!=ll&&Mt(Ht,Ll,!0,E)}}rt&&(Z.idx=h,ds()),a!==!1&&Re("setCursor")}let Bt=null;Object.defineProperty(n,"rect",{get(){return Bt==null&&Xl(!1),Bt}});function Xl(o=!1){o?Bt=null:(Bt=w.getBoundingClientRect(),Re("syncRect",Bt))}function Wi(o,a,c,h,g,S,b){B._lock||Vt&&o!=null&&o.movementX==0&&o.movementY==0||(_s(o,a,c,h,g,S,b,!1,o!=null),o!=null?nl(null,!0,!0):nl(a,!0,!1))}function _s(o,a,c,h,g,S,b,E,C){if(Bt==null&&Xl(!1),el(o),o!=null)c=o.clientX-Bt.left,h=o.clientY-Bt.top;else{if(c<0||h<0){_e=-10,we=-10;return}let[D,P]=ke.scales,R=a.cursor.sync,[$,ie]=R.values,[le,Q]=R.scales,[q,j]=ke.match,me=a.axes[0].side%2==1,Me=T.ori==0?J:I,Fe=T.ori==1?J:I,ce=me?S:g,Ee=me?g:S,Xe=me?h:c,Ge=me?c:h;if(le!=null?c=q(D,le)?u($,x[D],Me,0):-10:c=Me*(Xe/ce),Q!=null?h=j(P,Q)?u(ie,x[P],Fe,0):-10:h=Fe*(Ge/Ee),T.ori==1){let ut=c;c=h,h=ut}}C&&(a==null||a.cursor.event.type==js)&&((c<=1||c>=J-1)&&(c=al(c,J)),(h<=1||h>=I-1)&&(h=al(h,I))),E?(zi=c,Di=h,[Tl,Al]=B.move(n,c,h)):(_e=c,we=h)}let ps={width:0,height:0,left:0,top:0};function ms(){bn(ps,!1)}let Vi,Ni,Hi,Bi;function ji(o,a,c,h,g,S,b){Vt=!0,Pe=Ie=Ve._x=Ve._y=!1,_s(o,a,c,h,g,S,b,!0,!1),o!=null&&(je(Gs,$s,Gi,!1),en($o,n,Tl,Al,J,I,null));let{left:E,top:C,width:D,height:P}=pe;Vi=E,Ni=C,Hi=D,Bi=P}function Gi(o,a,c,h,g,S,b){Vt=Ve._x=Ve._y=!1,_s(o,a,c,h,g,S,b,!1,!0);let{left:E,top:C,width:D,height:P}=pe,R=D>0||P>0,$=Vi!=E||Ni!=C||Hi!=D||Bi!=P;if(R&&$&&bn(pe),Ve.setScale&&R&&$){let ie=E,le=D,Q=C,q=P;if(T.ori==1&&(ie=C,le=P,Q=E,q=D),Pe&&Nt(L,Et(ie,L),Et(ie+le,L)),Ie)for(let j in x){let me=x[j];j!=L&&me.from==null&&me.min!=fe&&Nt(j,Et(Q+q,j),Et(Q,j))}ms()}else B.lock&&(B._lock=!B._lock,nl(a,!0,o!=null));o!=null&&(ml(Gs,$s),en(Gs,n,_e,we,J,I,null))}function Ua(o,a,c,h,g,S,b){if(B._lock)return;el(o);let E=Vt;if(Vt){let C=!0,D=!0,P=10,R,$;T.ori==0?(R=Pe,$=Ie):(R=Ie,$=Pe),R&&$&&(C=_e<=P||_e>=J-P,D=we<=P||we>=I-P),R&&C&&(_e=_e<Tl?0:J),$&&D&&(we=we<Al?0:I),nl(null,!0,!0),Vt=!1}_e=-10,we=-10,ue.fill(null),nl(null,!0,!0),E&&(Vt=E)}function Ui(o,a,c,h,g,S,b){B._lock||(el(o),Qn(),ms(),o!=null&&en(Qo,n,_e,we,J,I,null))}function Ki(){M.forEach(If),Zn(n.width,n.height,!0)}fl(Vn,Vl,Ki);let zl={};zl.mousedown=ji,zl.mousemove=Wi,zl.mouseup=Gi,zl.dblclick=Ui,zl.setSeries=(o,a,c,h)=>{let g=ke.match[2];c=g(n,a,c),c!=-1&&Mt(c,h,!0,!1)},Be&&(je($o,w,ji),je(js,w,Wi),je(Jo,w,o=>{el(o),Xl(!1)}),je(Zo,w,Ua),je(Qo,w,Ui),ni.add(n),n.syncRect=Xl);let xn=n.hooks=e.hooks||{};function Re(o,a,c){us?Jl.push([o,a,c]):o in xn&&xn[o].forEach(h=>{h.call(null,n,a,c)})}(e.plugins||[]).forEach(o=>{for(let a in o.hooks)xn[a]=(xn[a]||[]).concat(o.hooks[a])});let qi=(o,a,c)=>c,ke=Oe({key:null,setSeries:!1,filters:{pub:ur,sub:ur},scales:[L,y[1]?y[1].scale:null],match:[cr,cr,qi],values:[null,null]},B.sync);ke.match.length==2&&ke.match.push(qi),B.sync=ke;let Yi=ke.key,gs=oa(Yi);function en(o,a,c,h,g,S,b){ke.filters.pub(o,a,c,h,g,S,b)&&gs.pub(o,a,c,h,g,S,b)}gs.sub(n);function Ka(o,a,c,h,g,S,b){ke.filters.sub(o,a,c,h,g,S,b)&&zl[o](null,a,c,h,g,S,b)}n.pub=Ka;function qa(){gs.unsub(n),ni.delete(n),$t.clear(),Qs(Vn,Vl,Ki),d.remove(),re?.remove(),Re("destroy")}n.destroy=qa;function vs(){Re("init",e,l),Mi(l||e.data,!1),H[L]?cs(L,H[L]):Qn(),mn=pe.show&&(pe.width>0||pe.height>0),Xt=rt=!0,Zn(e.width,e.height)}return y.forEach(bi),M.forEach(Ea),t?t instanceof HTMLElement?(t.appendChild(d),vs()):t(n,vs):vs(),n}He.assign=Oe;He.fmtNum=ci;He.rangeNum=Nn;He.rangeLog=jn;He.rangeAsinh=ai;He.orient=dl;He.pxRatio=oe;He.join=Ec;He.fmtDate=hi,He.tzDate=Rc;He.sync=oa;{He.addGap=Sf,He.clipGaps=Kn;let e=He.paths={points:ha};e.linear=_a,e.stepped=bf,e.bars=xf,e.spline=Ef}return Qa(Rf);})();
var __defProp = Object.defineProperty;
var __export = (target, all) => {
  for (var name in all)
    __defProp(target, name, { get: all[name], enumerable: !0 });
};

// library:preact
var { Component, Fragment, cloneElement, createContext, createElement, createPortal, createRef, h, hydrate, isValidElement, options, render, toChildArray } = libraries.preact;

// library:preact/hooks
var { useCallback, useContext, useDebugValue, useEffect, useErrorBoundary, useId, useImperativeHandle, useLayoutEffect, useMemo, useReducer, useRef, useState } = libraries["preact/hooks"];

// src/tools/input_pipeline.tsx
var input_pipeline_exports = {};
__export(input_pipeline_exports, {
  default: () => InputPipeline,
  keys: () => keys
});

// src/api.ts
var ApiError = class extends Error {
  constructor(kind, message) {
    super(message);
    this.kind = kind;
  }
  kind;
};
function address(route, query) {
  let url = new URL(`../${route}`, import.meta.url);
  for (let [name, value] of query) url.searchParams.append(name, value);
  return url.href;
}
async function explained(response) {
  let error = (await response.json().catch(() => null))?.error;
  return error ? new ApiError(String(error.kind), String(error.message)) : new ApiError("internal", `The server answered ${response.status} ${response.statusText} without saying why.`);
}
async function get(url, signal) {
  let response;
  try {
    response = await fetch(url, { signal: signal ?? null });
  } catch (error) {
    throw signal?.aborted ? error : new ApiError("unreachable", "TensorBoard does not answer. Is it still running? This page keeps asking.");
  }
  if (!response.ok) throw await explained(response);
  return await response.json();
}
function getRuns(signal) {
  return get(address("runs", []), signal);
}
function getTools(run = "", hosts = [], signal) {
  return get(address("tools", run ? selected(run, hosts) : []), signal);
}
function selected(run, hosts) {
  return [["run", run], ...hosts.map((host2) => ["host", host2])];
}
function apiFor({ run, hosts, tool }) {
  let url = (options3) => address("data", [...selected(run, hosts), ["tool", tool], ...Object.entries(options3)]);
  return { url, data: (options3, signal) => get(url(options3), signal) };
}

// src/answer.ts
var PATIENCE_MS = 100, RETRY_MS = 5e3;
function useAnswer(api, options3 = {}) {
  let [asked, setAsked] = useState({ answer: null, error: null, waiting: !1 }), [attempt, setAttempt] = useState(0), again = useCallback(() => setAttempt((n) => n + 1), []), url = api.url(options3), latest = useRef(options3);
  return latest.current = options3, useEffect(() => {
    let abort = new AbortController(), timer = setTimeout(() => setAsked((old) => ({ ...old, waiting: !0 })), PATIENCE_MS), settle = (next2) => {
      clearTimeout(timer), abort.signal.aborted || setAsked(next2);
    };
    return api.data(latest.current, abort.signal).then(
      (answer) => settle(() => ({ answer, error: null, waiting: !1 })),
      (reason) => settle((old) => ({ ...old, error: asApiError(reason), waiting: !1 }))
    ), () => {
      clearTimeout(timer), abort.abort();
    };
  }, [api, url, attempt]), useRetry(asked.error, again), { ...asked, again };
}
function useRetry(error, again) {
  useEffect(() => {
    if (error?.kind !== "unreachable") return;
    let timer = setTimeout(again, RETRY_MS);
    return () => clearTimeout(timer);
  }, [error]);
}
function asApiError(reason) {
  return reason instanceof ApiError ? reason : new ApiError("internal", String(reason));
}

// src/units.ts
var TIME = [
  [1e12, "s"],
  [1e9, "ms"],
  [1e6, "µs"],
  [1e3, "ns"],
  [1, "ps"]
], BYTES = [
  [1e12, "TB"],
  [1e9, "GB"],
  [1e6, "MB"],
  [1e3, "kB"],
  [1, "B"]
], COUNTS = [
  [1e12, "T"],
  [1e9, "G"],
  [1e6, "M"],
  [1e3, "k"],
  [1, ""]
], SCALED = {
  ps: [1, TIME, ""],
  ns: [1e3, TIME, ""],
  us: [1e6, TIME, ""],
  ms: [1e9, TIME, ""],
  s: [1e12, TIME, ""],
  bytes: [1, BYTES, ""],
  bytes_per_s: [1, BYTES, "/s"],
  per_s: [1, COUNTS, "/s"]
}, SPOKEN = { mhz: "MHz", gb_s: "GB/s", tflops: "TFLOP/s" };
function spoken(name) {
  return Object.keys(SPOKEN).find((suffix) => name.endsWith(`_${suffix}`)) ?? "";
}
var EPOCH_PS = 3 * 365 * 86400 * 1e12, SYMBOLS = { us: "µs", bytes: "B", bytes_per_s: "B/s", per_s: "/s" }, UNKNOWN = "–";
function grouped(value) {
  return value.toLocaleString("en-US", { maximumFractionDigits: 20 });
}
function threeDigits(value) {
  if (value === 0) return "0";
  let size = Math.abs(value);
  return size >= 999.5 ? grouped(Math.round(value)) : size < 1e-4 ? value.toExponential(2) : value.toPrecision(3);
}
function scaled(value, [one, scale, suffix]) {
  let base = value * one, size = Math.abs(base), [factor, symbol] = scale.find(([f]) => size >= f * 0.9995) ?? scale[scale.length - 1];
  return `${factor === 1 && Number.isInteger(base) ? grouped(base) : threeDigits(base / factor)} ${symbol}${suffix}`;
}
function percent(share) {
  let value = share * 100;
  return value !== 0 && Math.abs(value) < 0.01 ? "< 0.01 %" : value === 0 || Math.abs(value) >= 99.95 ? `${Math.round(value)} %` : `${value.toPrecision(Math.abs(value) < 1 ? 2 : 3)} %`;
}
function formatNumber(value, unit) {
  if (unit === "share") return percent(value);
  if (unit === "id") return String(value);
  let scale = SCALED[unit];
  if (scale?.[1] === TIME && value * scale[0] > EPOCH_PS) return formatTime(value * scale[0] / 1e9);
  if (scale) return value === 0 ? "0" : scaled(value, scale);
  let text2 = Number.isInteger(value) ? grouped(value) : threeDigits(value);
  return unit && unit !== "count" ? `${text2} ${unit}` : text2;
}
function formatValue(value, unit) {
  return value == null ? UNKNOWN : typeof value == "boolean" ? value ? "yes" : "no" : typeof value == "number" ? formatNumber(value, unit) : value;
}
function formatCell(value, column) {
  return formatValue(value, column.unit || (SPOKEN[spoken(column.name)] ?? ""));
}
function exactValue(value, unit) {
  return value == null ? "unknown" : typeof value != "number" || unit === "share" || unit === "id" || unit === "" ? String(value) : `${grouped(value)} ${unit === "count" ? "" : SYMBOLS[unit] ?? unit}`.trim();
}
function isNumeric(column) {
  return column.dtype !== "text" && column.dtype !== "bool";
}
function plural(word) {
  return /(s|x|ch|sh)$/.test(word) ? `${word}es` : `${word}s`;
}
function label(column) {
  let suffix = column.unit || spoken(column.name), stem = suffix && column.name.endsWith(`_${suffix}`) ? column.name.slice(0, -suffix.length - 1) : column.name, words = (column.unit === "count" && stem !== column.name ? plural(stem) : stem).replaceAll("_", " ").replace(/(\d)bit\b/, "$1-bit").replace(/\b(tf32|mxu|hbm|flop)\b/, (word) => word.toUpperCase());
  return words.charAt(0).toUpperCase() + words.slice(1) + (column.unit === "share" ? " %" : "");
}
function formatBytes(bytes) {
  return formatNumber(bytes, "bytes");
}
function formatTime(ms) {
  let date = new Date(ms), two = (n) => String(n).padStart(2, "0");
  return `${`${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`} ${two(date.getHours())}:${two(date.getMinutes())}`;
}
function formatAge(ms, now) {
  let seconds = (now - ms) / 1e3;
  return seconds < 60 ? "just now" : seconds < 3600 ? `${Math.floor(seconds / 60)} min ago` : seconds < 86400 ? `${Math.floor(seconds / 3600)} h ago` : formatTime(ms);
}
function counted(count2, word) {
  return `${grouped(count2)} ${count2 === 1 ? word : plural(word)}`;
}

// src/views/chart.ts
var PS = { ps: 1, ns: 1e3, us: 1e6, ms: 1e9, s: 1e12 };
function numbers(data, name) {
  return (data.columns[name] ?? []).map((cell) => typeof cell == "number" ? cell : null);
}
function chartOf(view, spec, data) {
  let x = spec.columns.find((column) => column.name === view.label);
  if (!x) return null;
  let begins = numbers(data, x.name), rows2 = begins.flatMap((begin, row) => begin === null ? [] : [row]), known2 = view.values.flatMap((name) => spec.columns.filter((column) => column.name === name)).map((column) => ({ column, all: numbers(data, column.name) })).map(({ column, all }) => ({ column, values: rows2.map((row) => all[row] ?? null) })).filter(({ values }) => values.some((value) => value !== null)), units = [...new Set(known2.map(({ column }) => column.unit))].slice(0, 2), lines = known2.filter(({ column }) => units.includes(column.unit));
  if (!lines.length) return null;
  let origin = x.unit in PS ? begins[rows2[0]] : 0, starts = rows2.map((row) => begins[row] - origin), lengths = numbers(data, x.name.replace(/^start_/, "duration_")), ends = x.name.startsWith("start_") && rows2.every((row) => typeof lengths[row] == "number") ? starts.map((start, i) => start + lengths[rows2[i]]) : null;
  return { x, starts, ends, origin, lines, units };
}
function points({ starts, ends, lines }) {
  if (!ends) return [[...starts], ...lines.map(({ values }) => [...values])];
  let last = starts.length - 1;
  return [[...starts, ends[last]], ...lines.map(({ values }) => [...values, values[last] ?? null])];
}
function rowAt({ starts, ends }, x) {
  let after = starts.findIndex((start) => start > x), row = Math.max(0, after < 0 ? starts.length - 1 : after - 1), next2 = starts[row + 1];
  return !ends && next2 !== void 0 && next2 - x < x - starts[row] ? row + 1 : row;
}
function middle({ starts, ends }, row) {
  return ends ? (starts[row] + ends[row]) / 2 : starts[row];
}
function moved(key, row, count2) {
  let last = count2 - 1, far = Math.max(1, Math.round(count2 / 10)), steps = { ArrowLeft: -1, ArrowRight: 1, PageUp: -far, PageDown: far };
  if (key === "Home") return 0;
  if (key === "End") return last;
  let step2 = steps[key];
  return step2 === void 0 ? null : row === null ? step2 > 0 ? 0 : last : Math.min(last, Math.max(0, row + step2));
}
function intervalOf({ x, starts, ends, origin }, row) {
  let ps2 = PS[x.unit];
  return !ends || ps2 === void 0 ? null : [Math.floor((starts[row] + origin) * ps2), Math.ceil((ends[row] + origin) * ps2)];
}
function tickText(value, unit) {
  return formatNumber(value, unit).replace(/(\.\d*?)0+(?!\d)/, (_, kept) => kept === "." ? "" : kept);
}
function placeOf({ x, starts, ends }, row) {
  let start = formatNumber(starts[row], x.unit);
  return ends ? `at ${start} for ${formatNumber(ends[row] - starts[row], x.unit)}` : `${label(x)} ${start}`;
}
function lineName({ column }) {
  return label(column).replace(/ %$/, "");
}
function lineValue({ column, values }, row) {
  return formatValue(values[row], column.unit);
}
function exactLineValue({ column, values }, row) {
  return `${column.help}
${exactValue(values[row], column.unit)}`;
}
function extent({ values }, { starts, ends }) {
  let [low, high, sum, weight, unknown] = [1 / 0, -1 / 0, 0, 0, 0];
  return values.forEach((value, row) => {
    if (value === null) return void unknown++;
    let part = ends ? ends[row] - starts[row] : 1;
    low = Math.min(low, value), high = Math.max(high, value), sum += value * part, weight += part;
  }), { low, high, mean: sum / (weight || 1), unknown };
}
function inWords(chart) {
  let { x, starts, ends, lines } = chart, reach = (ends ?? starts)[starts.length - 1] - starts[0], sentences = lines.map((line) => {
    let { low, high, mean, unknown } = extent(line, chart), [from, to, average] = [low, high, mean].map((value) => formatNumber(value, line.column.unit)), gaps = unknown ? `, unknown in ${counted(unknown, "row")}` : "";
    return `${lineName(line)}: ${from} to ${to}, ${average} on average${gaps}.`;
  });
  return [`${counted(starts.length, "row")} over ${formatNumber(reach, x.unit)}.`, ...sentences].join(" ");
}

// library:uplot
var { default: whole } = libraries.uplot;

// src/frame.ts
function host() {
  return window.frameElement ? window.parent : window;
}
var outer = host();
function isShown() {
  return document.visibilityState === "visible" && window.innerHeight > 0;
}
function onReload(callback) {
  let frame = window.frameElement;
  frame && (frame.reload = callback);
}

// src/theme.ts
var listeners = /* @__PURE__ */ new Set(), system = window.matchMedia("(prefers-color-scheme: dark)"), current = null;
function wanted() {
  return (outer === window ? system.matches : outer.document.body.classList.contains("dark-mode")) ? "dark" : "light";
}
function apply() {
  let theme = wanted();
  if (theme !== current) {
    current = theme, document.documentElement.dataset.theme = theme;
    for (let listener of listeners) listener(theme);
  }
}
function followTheme() {
  apply(), system.addEventListener("change", apply), outer !== window && new MutationObserver(apply).observe(outer.document.body, { attributes: !0, attributeFilter: ["class"] });
}
function onTheme(listener) {
  return listeners.add(listener), () => listeners.delete(listener);
}
function colour(variable) {
  return getComputedStyle(document.documentElement).getPropertyValue(variable).trim();
}

// src/views/category.ts
var CATEGORIES = {
  compute_8bit: ["--device8", "Compute 8-bit"],
  compute_16bit: ["--device16", "Compute 16-bit"],
  compute_tf32: ["--device-tf32", "Compute TF32"],
  compute_32bit: ["--device", "Compute 32-bit"],
  compute_64bit: ["--device64", "Compute 64-bit"],
  compute_other: ["--device-any", "Compute"],
  op_compute: ["--host", "Op compute"],
  collective: ["--collective", "Collectives"],
  copy_device: ["--copy-device", "Copy on device"],
  copy_in: ["--copy", "Copy in"],
  copy_out: ["--copy-out", "Copy out"],
  input_wait: ["--input", "Input wait"],
  compilation: ["--compile", "Compilation"],
  output: ["--output", "Output"],
  launch: ["--launch", "Kernel launch"],
  host_compute: ["--host", "Host compute"],
  runtime: ["--runtime", "Runtime overhead"],
  waiting: ["--waiting", "Waiting"],
  python: ["--python", "Python"],
  idle: ["--idle", "Idle, cause unknown"],
  rest: ["--unknown", "Rest of the step"],
  work: ["--device-any", "Own work of the fastest"],
  skew: ["--waiting", "Skew: what the slowest has more"]
}, WORDS = [
  [/idle/, "--idle"],
  [/unknown|other|device_wait/, "--unknown"],
  [/input|infeed|dataset|iterator/, "--input"],
  [/16|half|bf16|tensor_?core/, "--device16"],
  [/collective|all_?reduce|all_?gather|nccl|send|recv/, "--collective"],
  [/memcpy|memset|copy|transfer|h2d|d2h|d2d/, "--copy"],
  [/compil/, "--compile"],
  [/launch/, "--launch"],
  [/python|between/, "--python"],
  [/host|cpu/, "--host"],
  [/device|gpu|tpu|kernel|compute|busy/, "--device"]
];
function known(name) {
  return CATEGORIES[name.replace(/_ms$/, "")];
}
function categoryOf(name) {
  let lower = name.toLowerCase();
  return known(name)?.[0] ?? WORDS.find(([word]) => word.test(lower))?.[1] ?? "--host";
}
function namesOfNone(none, seen) {
  let isCompute = (name) => name.startsWith("compute_"), computes = seen.some(isCompute), names = none.flatMap(
    ([name, title]) => isCompute(name) ? computes ? [] : ["device compute"] : [title.charAt(0).toLowerCase() + title.slice(1)]
  );
  return [...new Set(names)];
}
function titleOf(name) {
  return known(name)?.[1];
}

// src/clipboard.ts
function copyBySelection(text2) {
  let area = document.createElement("textarea");
  area.value = text2, area.className = "offscreen";
  let focused = document.activeElement;
  document.body.append(area), area.select();
  let done = document.execCommand("copy");
  return area.remove(), focused?.focus(), done;
}
async function copyText(text2) {
  return window.isSecureContext ? navigator.clipboard.writeText(text2).then(
    () => !0,
    () => copyBySelection(text2)
  ) : copyBySelection(text2);
}

// src/views/chosen.ts
var STEPS = /* @__PURE__ */ new Map([
  ["ArrowDown", 1],
  ["ArrowUp", -1],
  ["PageDown", 20],
  ["PageUp", -20],
  ["Home", -1 / 0],
  ["End", 1 / 0]
]);
function useChosen(shown, scrollTo) {
  let [range, setRange] = useState(null);
  useEffect(() => setRange(null), [shown]);
  let reach = (to, extend) => setRange({ from: extend && range ? range.from : to, to }), rows2 = range ? shown.slice(Math.min(range.from, range.to), Math.max(range.from, range.to) + 1) : [], onKey2 = (event) => {
    let step2 = STEPS.get(event.key);
    if (step2 === void 0) return !1;
    event.preventDefault();
    let to = Math.min(shown.length - 1, Math.max(0, (range?.to ?? -1) + step2));
    return reach(to, event.shiftKey), scrollTo(to), !0;
  };
  return {
    rows: rows2,
    at: range ? shown[range.to] : void 0,
    onClick: (event, index) => reach(index, event.shiftKey),
    onKey: onKey2
  };
}

// src/views/rows.ts
var COMPARISON = /^([a-z_][\w.]*?)(<=|>=|<|>|!=|=)(-?\d+(?:\.\d+)?(?:e-?\d+)?)\s*(%|[a-zµ]*)$/i, FACTORS = {
  ps: 1e-12,
  ns: 1e-9,
  us: 1e-6,
  µs: 1e-6,
  ms: 1e-3,
  s: 1,
  bytes: 1,
  b: 1,
  kb: 1e3,
  mb: 1e6,
  gb: 1e9,
  share: 1,
  "%": 0.01
};
function compare(operator, limit) {
  switch (operator) {
    case "<":
      return (value) => value < limit;
    case "<=":
      return (value) => value <= limit;
    case ">":
      return (value) => value > limit;
    case ">=":
      return (value) => value >= limit;
    case "!=":
      return (value) => value !== limit;
    default:
      return (value) => value === limit;
  }
}
function findColumn(columns, word) {
  let wanted3 = word.toLowerCase(), starts = (c) => c.name.startsWith(wanted3) || label(c).toLowerCase().replaceAll(" ", "_").startsWith(wanted3);
  return columns.find((c) => c.name === wanted3) ?? columns.find((c) => isNumeric(c) && starts(c));
}
function inUnitOf(column, value, unit) {
  let from = FACTORS[unit.toLowerCase()], to = FACTORS[column.unit];
  return unit && from !== void 0 && to !== void 0 ? value * from / to : value;
}
function comparison(word, columns, data) {
  let match = COMPARISON.exec(word);
  if (!match) return null;
  let [, name = "", operator = "", number3 = "", unit = ""] = match, column = findColumn(columns, name);
  if (!column) return null;
  let test = compare(operator, inUnitOf(column, Number(number3), unit)), cells = data.columns[column.name] ?? [];
  return (row) => typeof cells[row] == "number" && test(cells[row]);
}
function contains(word, columns, data) {
  let wanted3 = word.toLowerCase(), texts2 = columns.filter((c) => !isNumeric(c)).map((c) => data.columns[c.name] ?? []);
  return (row) => texts2.some(
    (cells) => String(cells[row] ?? "").toLowerCase().includes(wanted3)
  );
}
function parseFilter(text2, columns, data) {
  return text2.split(/\s+/).filter((word) => word && word !== "-").map((word) => {
    let negative = word.startsWith("-"), bare = negative ? word.slice(1) : word, test = comparison(bare, columns, data) ?? contains(bare, columns, data);
    return negative ? (row) => !test(row) : test;
  });
}
function order(a, b, sign) {
  return a == null ? b == null ? 0 : 1 : b == null ? -1 : typeof a == "string" && typeof b == "string" ? sign * (a < b ? -1 : a > b ? 1 : 0) : sign * (Number(a) - Number(b));
}
function rowCount(data) {
  return Object.values(data.columns)[0]?.length ?? 0;
}
function pickRows(data, columns, filter, sort) {
  let tests = parseFilter(filter, columns, data), rows2 = [];
  for (let row = 0; row < rowCount(data); row++) tests.every((test) => test(row)) && rows2.push(row);
  let cells = sort && data.columns[sort.column];
  return sort && cells && rows2.sort((a, b) => order(cells[a], cells[b], sort.down ? -1 : 1)), rows2;
}
function toTsv(data, columns, rows2) {
  let clean = (value) => String(value ?? "").replace(/[\t\r\n]+/g, " "), line = (row) => columns.map((c) => clean(data.columns[c.name]?.[row])).join("	");
  return [columns.map((c) => c.name).join("	"), ...rows2.map(line)].join(`
`);
}

// src/views/columns.ts
var LETTER_PX = 7.3, PADDING_PX = 16, SORT_MARK_PX = 18, SAMPLES = 300, MOST_LETTERS = 24, ELASTIC_LETTERS = 60;
function longest(column, data, count2) {
  let cells = data.columns[column.name] ?? [], step2 = Math.max(1, Math.floor(count2 / SAMPLES)), most = 0;
  for (let row = 0; row < count2; row += step2) most = Math.max(most, formatCell(cells[row], column).length);
  return Math.min(most, ELASTIC_LETTERS);
}
function measure(columns, data) {
  let count2 = rowCount(data), measured = columns.map((column) => ({ column, letters: longest(column, data, count2) })), most = Math.max(0, ...measured.filter(({ column }) => !isNumeric(column)).map(({ letters }) => letters));
  return measured.map(({ column, letters }) => {
    let head = label(column).length * LETTER_PX + SORT_MARK_PX, body = (letters < most ? Math.min(letters, MOST_LETTERS) : letters) * LETTER_PX;
    return { column, px: Math.ceil(Math.max(head, body, 40) + PADDING_PX) };
  });
}
function elastic(widths2) {
  return widths2.filter(({ column }) => !isNumeric(column)).reduce((best, one) => best && best.px >= one.px ? best : one, null)?.column.name ?? "";
}

// library:preact/jsx-runtime
var { Fragment: Fragment2, jsx, jsxAttr, jsxDEV, jsxEscape, jsxTemplate, jsxs } = libraries["preact/jsx-runtime"];

// src/views/copy_button.tsx
var SAID_MS = 1500;
function CopyButton({ text: text2, label: label2, title = label2 }) {
  let [said, say] = useState("");
  return /* @__PURE__ */ jsx("button", { type: "button", class: "copy", title, onClick: async () => {
    say(await copyText(text2()) ? "Copied" : "Not allowed"), setTimeout(() => say(""), SAID_MS);
  }, children: /* @__PURE__ */ jsx("span", { "aria-live": "polite", children: said || label2 }) });
}

// src/views/name.tsx
var ONE_WIDTH = /^[ -~]*$/;
function tailOf(letters) {
  return letters.includes("/") ? 40 : 14;
}
function Name({ text: text2, title = text2, ...given2 }) {
  let letters = [...text2], tail = Math.min(given2.tail ?? tailOf(letters), letters.length - 12), end = letters.slice(-tail).join("");
  return letters.length < 26 || !ONE_WIDTH.test(end) ? /* @__PURE__ */ jsx("span", { class: "name", title, children: text2 }) : /* @__PURE__ */ jsxs("span", { class: "name cut", title, style: { "--tail": `${tail}ch` }, children: [
    /* @__PURE__ */ jsx("span", { class: "name-head", children: letters.slice(0, -tail).join("") }),
    /* @__PURE__ */ jsx("span", { class: "name-tail", children: /* @__PURE__ */ jsx("bdi", { dir: "ltr", children: end }) })
  ] });
}

// src/views/table_parts.tsx
var FEW_ROWS = 12, ELASTIC_PX = 240, ELASTIC_SHARE = 0.4, FILTER_HELP = [
  "Words must be in a row's text; -word must not.",
  "Comparisons with a column's name or its beginning: self_us>100  self>1.5ms  occ>=10  self_share<5%"
].join(`
`);
function ColumnWidths({ widths: widths2 }) {
  let wide = elastic(widths2);
  return /* @__PURE__ */ jsx("colgroup", { children: widths2.map(({ column, px }) => /* @__PURE__ */ jsx("col", { style: column.name === wide ? {} : { width: `${px}px` } }, column.name)) });
}
function leastWidth(widths2) {
  let wide = elastic(widths2), most = Math.min(ELASTIC_PX, ELASTIC_SHARE * window.innerWidth);
  return widths2.reduce((sum, { column, px }) => sum + (column.name === wide ? Math.min(px, most) : px), 0);
}
function nextSort(sort, column) {
  let first = isNumeric(column);
  return sort?.column !== column.name ? { column: column.name, down: first } : sort.down === first ? { column: column.name, down: !first } : null;
}
function Head({ columns, sort, setSort }) {
  return /* @__PURE__ */ jsx("thead", { children: /* @__PURE__ */ jsx("tr", { "aria-rowindex": 1, children: columns.map((column) => /* @__PURE__ */ jsx(
    HeadCell,
    {
      column,
      sort: sort?.column === column.name ? sort : null,
      press: () => setSort(nextSort(sort, column))
    },
    column.name
  )) }) });
}
function HeadCell({ column, sort, press: press2 }) {
  let direction = sort ? sort.down ? "descending" : "ascending" : "none", name = label(column);
  return /* @__PURE__ */ jsx("th", { scope: "col", "aria-label": name, "aria-sort": direction, class: isNumeric(column) ? "number" : "", children: /* @__PURE__ */ jsxs("button", { type: "button", "aria-label": `Sort by ${name}`, title: `${column.help}
${column.name}`, onClick: press2, children: [
    name,
    /* @__PURE__ */ jsx("i", { "aria-hidden": "true", children: sort ? sort.down ? " ▾" : " ▴" : "" })
  ] }) });
}
function Cell({ column, value }) {
  let text2 = formatCell(value, column);
  if (!isNumeric(column))
    return /* @__PURE__ */ jsx("td", { class: "text", children: /* @__PURE__ */ jsx(Name, { text: text2 }) });
  let title = exactValue(value, column.unit), isShare = column.unit === "share" && typeof value == "number";
  return /* @__PURE__ */ jsxs("td", { class: isShare ? "number share" : "number", title, children: [
    isShare && /* @__PURE__ */ jsx("b", { style: { width: `${100 * Math.min(1, Math.max(0, value))}%` } }),
    /* @__PURE__ */ jsx("span", { children: text2 })
  ] });
}
function Cells({ columns, data, row }) {
  return columns.map((column) => /* @__PURE__ */ jsx(Cell, { column, value: data.columns[column.name]?.[row] }, column.name));
}
function rowsText(shown, total2) {
  return shown < total2 ? `${grouped(shown)} of ${grouped(total2)} rows` : total2 > FEW_ROWS ? `${grouped(total2)} rows` : "";
}
function TableBar({ title, spec, shown, total: total2, empty, state, setState, children }) {
  return /* @__PURE__ */ jsxs("div", { class: "table-bar", children: [
    /* @__PURE__ */ jsx("h2", { title: spec.help, children: title }),
    total2 > FEW_ROWS && /* @__PURE__ */ jsx(
      "input",
      {
        type: "search",
        class: "table-filter",
        spellcheck: !1,
        "aria-label": `Filter ${title}`,
        value: state.filter,
        placeholder: "Filter: conv self>1ms",
        title: FILTER_HELP,
        onInput: (event) => setState({ ...state, filter: event.currentTarget.value })
      }
    ),
    /* @__PURE__ */ jsx("span", { class: "soft", role: "status", children: rowsText(shown, total2) }),
    empty.length > 0 && /* @__PURE__ */ jsxs("span", { class: "soft", title: empty.map((c) => `${label(c)}: ${c.help}`).join(`
`), children: [
      counted(empty.length, "empty column"),
      " hidden"
    ] }),
    /* @__PURE__ */ jsx("span", { class: "grow" }),
    children
  ] });
}

// library:@tanstack/virtual-core
var { Virtualizer, _resetIOSDetectionForTests, approxEqual, debounce, defaultKeyExtractor, defaultRangeExtractor, elementScroll, measureElement, memo, notUndefined, observeElementOffset, observeElementRect, observeWindowOffset, observeWindowRect, windowScroll } = libraries["@tanstack/virtual-core"];

// src/views/virtual.ts
function useVirtualRows(scroller, count2, heightPx, headPx = 0) {
  let [, redraw] = useReducer((n) => n + 1, 0), options3 = {
    count: count2,
    overscan: 8,
    scrollPaddingStart: headPx,
    getScrollElement: () => scroller.current,
    estimateSize: () => heightPx,
    observeElementRect,
    observeElementOffset,
    scrollToFn: elementScroll,
    onChange: () => redraw(0)
  }, [rows2] = useState(() => new Virtualizer(options3));
  return rows2.setOptions(options3), useLayoutEffect(() => rows2._didMount(), []), useLayoutEffect(() => rows2._willUpdate()), rows2;
}

// src/views/table.tsx
var ROW_PX = 24;
function wanted2({ columns }, show) {
  return show.length ? show.flatMap((name) => columns.filter((c) => c.name === name)) : columns;
}
function isEmpty(cells = []) {
  return cells.length > 0 && cells.every((cell) => cell === null || cell === "");
}
function useShown({ spec, data, show = [], state: { filter, sort } }) {
  let asked = useMemo(() => wanted2(spec, show), [spec, show.join()]), columns = useMemo(() => asked.filter((c) => !isEmpty(data.columns[c.name])), [asked, data]), widths2 = useMemo(() => measure(columns, data), [columns, data]), key = [data, spec, filter, sort?.column, sort?.down], rows2 = useMemo(() => pickRows(data, spec.columns, filter, sort), key);
  return { columns, widths: widths2, rows: rows2, empty: asked.filter((c) => !columns.includes(c)) };
}
var COPY_HELP = "Copy rows as TSV, with exact values: the chosen ones, or all";
function copyLabel(chosen) {
  return chosen > 1 ? `Copy ${chosen} rows` : "Copy";
}
function Links({ csv, json }) {
  return /* @__PURE__ */ jsxs(Fragment2, { children: [
    /* @__PURE__ */ jsx("a", { href: csv, download: !0, title: "Download this table", children: "CSV" }),
    /* @__PURE__ */ jsx("a", { href: json, target: "_blank", title: "The whole answer", children: "JSON" })
  ] });
}
function Gap({ px }) {
  return px > 0 ? /* @__PURE__ */ jsx("tr", { "aria-hidden": "true", style: { height: `${px}px` } }) : null;
}
function DataTable(props) {
  let { title, spec, data, csv, json, state, setState, find, more } = props, { columns, widths: widths2, rows: rows2, empty } = useShown(props), scroller = useRef(null), virtual = useVirtualRows(scroller, rows2.length, ROW_PX, ROW_PX), chosen = useChosen(rows2, (index) => virtual.scrollToIndex(index)), items = virtual.getVirtualItems(), tsv = () => toTsv(data, columns, chosen.rows.length ? chosen.rows : rows2), open = (row) => {
    let name = row === void 0 ? null : data.columns.name?.[row];
    typeof name == "string" && find?.(name);
  }, onKeyDown = (event) => {
    if (event.target !== scroller.current || chosen.onKey(event)) return;
    event.key === "c" && (event.ctrlKey || event.metaKey) && chosen.rows.length && !String(getSelection()) ? copyText(tsv()) : event.key === "Enter" && open(chosen.at);
  };
  return /* @__PURE__ */ jsxs("div", { class: "data-table", children: [
    /* @__PURE__ */ jsxs(TableBar, { title, spec, empty, state, setState, shown: rows2.length, total: rowCount(data), children: [
      more,
      find && chosen.rows.length === 1 && /* @__PURE__ */ jsx("button", { type: "button", onClick: () => open(chosen.at), children: "Find in trace ▸" }),
      /* @__PURE__ */ jsx(CopyButton, { text: tsv, label: copyLabel(chosen.rows.length), title: COPY_HELP }),
      /* @__PURE__ */ jsx(Links, { csv, json })
    ] }),
    /* @__PURE__ */ jsx("div", { class: "table-scroll", ref: scroller, tabIndex: 0, role: "region", "aria-label": title, onKeyDown, children: /* @__PURE__ */ jsxs("table", { style: { minWidth: `${leastWidth(widths2)}px` }, "aria-rowcount": rows2.length + 1, children: [
      /* @__PURE__ */ jsx("caption", { class: "offscreen", children: spec.help }),
      /* @__PURE__ */ jsx(ColumnWidths, { widths: widths2 }),
      /* @__PURE__ */ jsx(Head, { columns, sort: state.sort, setSort: (sort) => setState({ ...state, sort }) }),
      /* @__PURE__ */ jsxs("tbody", { children: [
        /* @__PURE__ */ jsx(Gap, { px: items[0]?.start ?? 0 }),
        items.map(({ index }) => /* @__PURE__ */ jsx(
          "tr",
          {
            "aria-rowindex": index + 2,
            "aria-selected": chosen.rows.includes(rows2[index]),
            onClick: (event) => chosen.onClick(event, index),
            onDblClick: () => open(rows2[index]),
            children: /* @__PURE__ */ jsx(Cells, { columns, data, row: rows2[index] })
          },
          index
        )),
        /* @__PURE__ */ jsx(Gap, { px: virtual.getTotalSize() - (items[items.length - 1]?.end ?? 0) })
      ] })
    ] }) })
  ] });
}

// src/views/lines.tsx
var KEYS = [
  ["← → Home End", "in a chart: the value before, after, first, last (Page keys: further)"],
  ["Enter", "in a chart over time: show that stretch in the trace"]
], HEIGHT_PX = 100, AXIS = { size: 48, gap: 4, font: "11px system-ui, sans-serif" }, FILL = "30";
function rangeOf(unit) {
  return (_plot, _low, high) => unit === "share" ? [0, Math.max(1, high ?? 1)] : [0, (high || 1) * 1.05];
}
function axisOf(unit, place) {
  return {
    ...AXIS,
    scale: unit || "value",
    side: place === 0 ? 3 : 1,
    space: 28,
    stroke: () => colour("--soft"),
    grid: { show: place === 0, stroke: () => colour("--sunken"), width: 1 },
    ticks: { show: !1 },
    values: (_plot, ticks) => ticks.map((tick) => tickText(tick, unit))
  };
}
function seriesOf({ column }, level2) {
  let stroke = () => colour(categoryOf(column.name));
  return {
    scale: column.unit || "value",
    stroke,
    fill: column.unit === "share" ? () => stroke() + FILL : void 0,
    width: 1.5,
    points: { show: !1 },
    paths: level2 ? whole.paths.stepped({ align: 1 }) : void 0
  };
}
function optionsOf(chart, width, hover) {
  let { x, units, lines, ends } = chart;
  return {
    width,
    height: HEIGHT_PX,
    padding: [8, units.length > 1 ? 0 : 24, 0, 0],
    legend: { show: !1 },
    scales: {
      x: { time: !1 },
      ...Object.fromEntries(units.map((unit) => [unit || "value", { range: rangeOf(unit) }]))
    },
    axes: [
      {
        ...AXIS,
        size: 20,
        stroke: () => colour("--soft"),
        grid: { stroke: () => colour("--sunken"), width: 1 },
        ticks: { show: !1 },
        values: (_plot, ticks) => ticks.map((tick) => tickText(tick, x.unit))
      },
      ...units.map(axisOf)
    ],
    series: [{}, ...lines.map((line) => seriesOf(line, ends !== null))],
    cursor: { y: !1, points: { show: !1 }, drag: { x: !1, y: !1, setScale: !1 } },
    hooks: {
      setCursor: [
        (plot) => {
          let left = plot.cursor.left ?? -1;
          hover(left < 0 ? null : rowAt(chart, plot.posToVal(left, "x")));
        }
      ]
    }
  };
}
function usePlot(chart, hover) {
  let box = useRef(null), plot = useRef(null);
  return useEffect(() => {
    let element = box.current;
    if (!chart || !element) return;
    let fit = () => {
      let width = Math.floor(element.clientWidth);
      width <= 0 || (plot.current ? plot.current.setSize({ width, height: HEIGHT_PX }) : plot.current = new whole(optionsOf(chart, width, hover), points(chart), element));
    }, sizes = new ResizeObserver(fit);
    sizes.observe(element);
    let end = onTheme(() => plot.current?.redraw(!1, !0));
    return fit(), () => {
      sizes.disconnect(), end(), plot.current?.destroy(), plot.current = null, hover(null);
    };
  }, [chart]), { box, plot };
}
function Legend({ title, help, chart, row, csv, json }) {
  return /* @__PURE__ */ jsxs("div", { class: "lines-bar", children: [
    /* @__PURE__ */ jsxs("p", { class: "legend", children: [
      /* @__PURE__ */ jsx("b", { title: help, children: row === null ? title : placeOf(chart, row) }),
      chart.lines.map((line) => /* @__PURE__ */ jsxs("span", { title: row === null ? line.column.help : exactLineValue(line, row), children: [
        /* @__PURE__ */ jsx("i", { style: { background: `var(${categoryOf(line.column.name)})` } }),
        lineName(line),
        /* @__PURE__ */ jsx("output", { children: row === null ? `⌀ ${formatNumber(extent(line, chart).mean, line.column.unit)}` : lineValue(line, row) })
      ] }, line.column.name))
    ] }),
    /* @__PURE__ */ jsx(Links, { csv, json })
  ] });
}
function Lines({ title, view, spec, data, csv, json, open }) {
  let chart = useMemo(() => chartOf(view, spec, data), [view, spec, data]), words = useMemo(() => chart && inWords(chart), [chart]), [row, setRow] = useState(null), { box, plot } = usePlot(chart, setRow);
  if (!chart) return /* @__PURE__ */ jsx("p", { class: "soft", children: "Nothing to draw: no row, or every value is unknown." });
  let go = () => {
    let interval = row === null ? null : intervalOf(chart, row);
    interval && open?.(...interval);
  }, onKeyDown = (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    let next2 = moved(event.key, row, chart.starts.length);
    if (next2 !== null)
      plot.current?.setCursor({ left: plot.current.valToPos(middle(chart, next2), "x"), top: 0 }), setRow(next2);
    else if (event.key === "Enter") go();
    else return;
    event.preventDefault();
  }, said = row === null ? null : chart.lines.map((line) => `${lineName(line)} ${lineValue(line, row)}`);
  return /* @__PURE__ */ jsxs("div", { class: "lines", children: [
    /* @__PURE__ */ jsx(Legend, { title, help: spec.help, chart, row, csv, json }),
    /* @__PURE__ */ jsx(
      "div",
      {
        ref: box,
        class: open && chart.ends ? "plot opens" : "plot",
        tabIndex: 0,
        role: "slider",
        "aria-label": title,
        "aria-description": words ?? "",
        "aria-valuemin": 0,
        "aria-valuemax": chart.starts.length - 1,
        "aria-valuenow": row ?? 0,
        "aria-valuetext": said && row !== null ? `${placeOf(chart, row)}: ${said.join(", ")}` : words ?? "",
        title: open && chart.ends ? "Press to see this stretch in the trace" : void 0,
        onClick: go,
        onKeyDown
      }
    )
  ] });
}

// src/views/links.ts
function inTrace({ host: host2, start_ps, end_ps }) {
  let { tool, params } = stretchInTrace(start_ps, end_ps);
  return { tool, params: { ...params, clock: host2 } };
}
function stretchInTrace(start_ps, end_ps) {
  let margin = Math.ceil((end_ps - start_ps) * 0.1);
  return { tool: "trace_viewer", params: { ...{ start_ps: String(Math.max(0, start_ps - margin)), end_ps: String(end_ps + margin) }, range: `${start_ps}-${end_ps}` } };
}
function toProof({ tool, search: search2 }, where) {
  return tool !== "trace_viewer" ? { tool } : where ? inTrace(where) : search2 ? searchInTrace(search2) : { tool };
}
function searchInTrace(name) {
  return { tool: "trace_viewer", params: { search: name } };
}

// src/views/options.tsx
function given({ tool, selection }) {
  let names = new Set(tool.options.map((option) => option.name));
  return Object.fromEntries(Object.entries(selection.params).filter(([name]) => names.has(name)));
}
function Control({ option, value, set }) {
  let change = (event) => set(event.currentTarget.value);
  return option.kind === "flag" ? /* @__PURE__ */ jsx(
    "input",
    {
      type: "checkbox",
      checked: value === "true",
      onChange: (event) => set(String(event.currentTarget.checked))
    }
  ) : option.choices.length ? /* @__PURE__ */ jsx("select", { value, onChange: change, children: option.choices.map((choice) => /* @__PURE__ */ jsx("option", { children: choice }, choice)) }) : option.kind === "text" ? /* @__PURE__ */ jsx("input", { type: "text", value, onChange: change }) : /* @__PURE__ */ jsx(
    "input",
    {
      type: "number",
      value,
      min: option.low ?? void 0,
      max: option.high ?? void 0,
      step: option.kind === "integer" ? 1 : "any",
      onChange: change
    }
  );
}
function Options({ options: options3, params, set }) {
  if (!options3.length) return null;
  let change = (option, value) => {
    let { [option.name]: _old, ...rest } = params;
    set(value === String(option.default ?? "") ? rest : { ...rest, [option.name]: value });
  };
  return /* @__PURE__ */ jsx("div", { class: "options", children: options3.map((option) => /* @__PURE__ */ jsxs("label", { title: option.help, children: [
    option.name.replaceAll("_", " "),
    " ",
    /* @__PURE__ */ jsx(
      Control,
      {
        option,
        value: params[option.name] ?? String(option.default ?? ""),
        set: (value) => change(option, value)
      }
    )
  ] }, option.name)) });
}

// src/views/boundary.tsx
var Boundary = class extends Component {
  state = { error: null };
  static getDerivedStateFromError(error) {
    return { error: String(error) };
  }
  componentDidUpdate(previous) {
    this.state.error !== null && previous.children !== this.props.children && this.setState({ error: null });
  }
  render() {
    return this.state.error === null ? this.props.children : /* @__PURE__ */ jsxs("section", { class: "panel failure", role: "alert", children: [
      /* @__PURE__ */ jsxs("h2", { children: [
        this.props.what,
        " could not be drawn"
      ] }),
      /* @__PURE__ */ jsx("p", { children: this.state.error }),
      /* @__PURE__ */ jsx("p", { children: "This is a defect of this page; the rest of it is not affected. The numbers are still there as JSON and CSV." })
    ] });
  }
};

// src/views/panel.tsx
function Panel({ title, bare = !1, help, class: extra = "", children }) {
  return /* @__PURE__ */ jsx(Boundary, { what: title, children: /* @__PURE__ */ jsxs("section", { class: `panel ${extra}`, "aria-label": title, children: [
    title && !bare && /* @__PURE__ */ jsx("h2", { title: help, children: title }),
    children
  ] }) });
}

// src/views/stacked.ts
var PS_PER_MS = 1e9;
function numbers2(data, name) {
  return data.columns[name]?.map((cell) => typeof cell == "number" ? cell : null) ?? null;
}
function texts(data, name) {
  return (data.columns[name] ?? []).map((cell) => formatValue(cell, "id"));
}
function cutText(cell) {
  return typeof cell == "number" ? cell ? "cut" : "" : cell === !0 ? "cut" : cell && cell !== "no" ? String(cell) : "";
}
function sumOf(columns, rows2) {
  let sums = new Array(rows2).fill(0);
  for (let values of columns) for (let row = 0; row < rows2; row++) sums[row] += values[row];
  return sums;
}
function stackedOf(view, spec, data) {
  let columns = view.values.flatMap((name) => spec.columns.filter((column) => column.name === name)), seen = columns.map((column) => ({ column, values: (numbers2(data, column.name) ?? []).map((v) => v ?? 0) })).filter(({ values }) => values.some((value) => value > 0));
  if (!seen.length) return null;
  let rows2 = seen[0].values.length, cut = Array.from({ length: rows2 }, (_, row) => cutText(data.columns.cut?.[row])), whole2 = cut.flatMap((text2, row) => text2 ? [] : [row]), counting = whole2.length ? whole2 : cut.map((_, row) => row), mean = (values) => counting.reduce((sum, row) => sum + values[row], 0) / counting.length, title = (column) => titleOf(column.name) ?? label(column), totals = sumOf(
    seen.map(({ values }) => values),
    rows2
  );
  return {
    unit: seen[0].column.unit,
    names: texts(data, data.columns.name ? "name" : view.label),
    labels: texts(data, view.label === "name" && data.columns.step ? "step" : view.label),
    cut,
    parts: seen.map(({ column, values }) => ({
      column,
      title: title(column),
      variable: categoryOf(column.name),
      values,
      mean: mean(values)
    })),
    none: namesOfNone(
      columns.filter((column) => !seen.some((part) => part.column === column)).map((column) => [column.name, title(column)]),
      seen.map(({ column }) => column.name)
    ),
    totals,
    mean: mean(totals),
    counted: counting.length,
    starts: numbers2(data, "start_ms"),
    lengths: numbers2(data, "duration_ms") ?? totals
  };
}
function barsOf({ parts, totals, cut }, from, to, most) {
  let count2 = Math.max(1, Math.min(to - from, Math.floor(most)));
  return Array.from({ length: count2 }, (_, i) => {
    let first = from + Math.floor(i * (to - from) / count2), last = from + Math.floor((i + 1) * (to - from) / count2) - 1, slowest = first;
    for (let row = first; row <= last; row++) totals[row] > totals[slowest] && (slowest = row);
    let mean = (values) => {
      let sum = 0;
      for (let row = first; row <= last; row++) sum += values[row];
      return sum / (last - first + 1);
    }, heights = parts.map(({ values }) => mean(values));
    return { first, last, parts: heights, total: mean(totals), slowest, cut: first === last && cut[first] !== "" };
  });
}
var OUTLIER = 3, ROOM = 1.08;
function ceilingOf({ totals }, from, to) {
  let sorted = totals.slice(from, to).sort((a, b) => a - b), most = sorted[sorted.length - 1] ?? 0, usual = sorted[Math.floor((sorted.length - 1) * 0.9)] ?? 0;
  return (sorted.length > 2 && usual > 0 && most > OUTLIER * usual ? 1.5 * usual : most) * ROOM || 1;
}
function roundUp(value) {
  let ten = 10 ** Math.floor(Math.log10(value));
  return [1, 2, 5, 10].map((factor) => factor * ten).find((size) => size >= value) ?? value;
}
function ticksOf(top) {
  let step2 = roundUp(top / 5);
  return Array.from({ length: Math.floor(top / step2) + 1 }, (_, i) => i * step2);
}
function stretchOf({ starts, lengths }, row) {
  let [start, length2] = [starts?.[row], lengths[row]];
  return typeof start != "number" || typeof length2 != "number" ? null : [Math.floor(start * PS_PER_MS), Math.ceil((start + length2) * PS_PER_MS)];
}
function whyCut(cut) {
  return cut === "last" ? "the last, which nothing follows: in no mean" : `cut by the capture (${cut}): in no mean`;
}
function rowInWords({ names, totals, parts, unit, cut }, row) {
  let said = parts.filter(({ values }) => values[row] > 0).map(({ title, values }) => `${title} ${formatNumber(values[row], unit)}`), mark = cut[row] ? `, ${whyCut(cut[row])}` : "";
  return `${names[row]}: ${formatNumber(totals[row], unit)}${mark}. ${said.join(", ")}.`;
}
function stackInWords({ names, totals, parts, mean, unit }, noun) {
  let slowest = totals.reduce((best, total2, row) => total2 > totals[best] ? row : best, 0), shares = parts.filter((part) => part.mean > 0).map((part) => `${part.title} ${formatNumber(part.mean, unit)} (${percent(part.mean / mean)})`);
  return `${counted(names.length, noun)}, ${formatNumber(mean, unit)} on average: ${shares.join(", ")}. The longest: ${names[slowest]}, ${formatNumber(totals[slowest], unit)}.`;
}

// src/views/stack_draw.ts
var LEFT = 56, [TOP, RIGHT, BOTTOM] = [10, 8, 18], LEAST_BAR = 3, MOST_BAR = 200, FONT = "11px system-ui, sans-serif";
function plotOf(stacked, from, to, width, height) {
  let room = Math.max(LEAST_BAR, width - LEFT - RIGHT), bars = barsOf(stacked, from, to, room / LEAST_BAR), step2 = Math.min(MOST_BAR, room / bars.length), left = LEFT + Math.max(0, (width - LEFT - RIGHT - step2 * bars.length) / 2);
  return { width, height, from, to, bars, left, step: step2, top: ceilingOf(stacked, from, to) };
}
function barAt({ bars, left, step: step2 }, x) {
  let at = Math.floor((x - left) / step2);
  return at >= 0 && at < bars.length ? at : null;
}
function barOf({ bars }, row) {
  return bars.findIndex(({ last }) => row <= last);
}
function centre({ left, step: step2 }, bar) {
  return left + (bar + 0.5) * step2;
}
function stripes(ctx, ground) {
  let tile = document.createElement("canvas");
  tile.width = tile.height = 6;
  let pen = tile.getContext("2d");
  pen.strokeStyle = ground, pen.lineWidth = 2.4;
  for (let shift of [-6, 0, 6])
    pen.moveTo(shift, 6), pen.lineTo(shift + 6, 0);
  return pen.stroke(), ctx.createPattern(tile, "repeat");
}
function axis(ctx, plot, unit, y) {
  ctx.textAlign = "right", ctx.textBaseline = "middle";
  for (let tick of ticksOf(plot.top))
    ctx.fillStyle = colour(tick ? "--sunken" : "--line"), ctx.fillRect(LEFT, Math.round(y(tick)), plot.width - LEFT - RIGHT, 1), ctx.fillStyle = colour("--soft"), ctx.fillText(tickText(tick, unit), LEFT - 6, y(tick));
}
function labels(ctx, plot, names) {
  let { from, to, bars, step: step2, width, height } = plot, short = (row) => names[row].length > 16 ? `${names[row].slice(0, 15)}…` : names[row], rowsApart = (Math.max(...[from, to - 1].map((row) => ctx.measureText(short(row)).width)) + 16) / step2 * (to - from) / bars.length, every = Math.max(1, roundUp(rowsApart));
  ctx.textAlign = "center", ctx.textBaseline = "alphabetic", ctx.fillStyle = colour("--soft");
  let first = from;
  for (; first < from + every && Number(names[first]) % every; ) first++;
  for (let row = first < from + every ? first : from; row < to; row += every) {
    let half = ctx.measureText(short(row)).width / 2;
    ctx.fillText(short(row), Math.max(half, Math.min(centre(plot, barOf(plot, row)), width - half)), height - 5);
  }
}
function meanLine(ctx, plot, mean, unit, y) {
  if (mean <= 0 || mean >= plot.top) return;
  let text2 = `⌀ ${formatNumber(mean, unit)}`, [right, at] = [plot.width - RIGHT, Math.round(y(mean)) + 0.5];
  ctx.strokeStyle = colour("--text"), ctx.setLineDash([4, 3]), ctx.beginPath(), ctx.moveTo(LEFT, at), ctx.lineTo(right, at), ctx.stroke(), ctx.setLineDash([]);
  let { width } = ctx.measureText(text2), above = at > TOP + 12;
  ctx.fillStyle = colour("--panel"), ctx.globalAlpha = 0.85, ctx.fillRect(right - width - 6, above ? at - 15 : at + 1, width + 6, 14), ctx.globalAlpha = 1, ctx.fillStyle = colour("--text"), ctx.textAlign = "right", ctx.textBaseline = "middle", ctx.fillText(text2, right - 3, above ? at - 8 : at + 8);
}
function drawStack(ctx, plot, stacked, mean, at) {
  let { width, height, bars, step: step2, top } = plot, base = height - BOTTOM, y = (value) => base - Math.min(value, top) / top * (base - TOP);
  ctx.clearRect(0, 0, width, height), ctx.font = FONT, axis(ctx, plot, stacked.unit, y);
  let ground = colour("--panel"), fills = stacked.parts.map(({ variable }) => colour(variable)), [hatch, text2, soft] = [stripes(ctx, ground), colour("--text"), colour("--soft")], gap = step2 >= 4 ? Math.min(6, Math.max(1, step2 * 0.12)) : 0;
  bars.forEach((bar, i) => {
    let [begin, end] = [i, i + 1].map((n) => plot.left + n * step2).map((px) => gap ? px : Math.round(px)), [x, wide] = [begin + gap / 2, end - begin - gap];
    i === at && (ctx.fillStyle = colour("--hover"), ctx.fillRect(x - gap / 2, TOP - 4, step2, base - TOP + 4));
    let sum = 0;
    bar.parts.forEach((part, k) => {
      if (part <= 0) return;
      let [low, high] = [y(sum), y(sum += part)];
      ctx.fillStyle = fills[k], ctx.fillRect(x, high, wide, low - high);
    }), bar.cut && hatch && (ctx.fillStyle = hatch, ctx.fillRect(x, y(sum), wide, base - y(sum))), ctx.fillStyle = soft, bar.last > bar.first && ctx.fillRect(x, y(stacked.totals[bar.slowest]) - 1, wide, 1.5), stacked.totals[bar.slowest] > top && arrow(ctx, x, wide, ground, text2);
  }), labels(ctx, plot, stacked.labels), meanLine(ctx, plot, mean, stacked.unit, y);
}
function arrow(ctx, x, wide, ground, text2) {
  ctx.fillStyle = ground, ctx.fillRect(x, TOP + 3, wide, 2), ctx.fillStyle = text2, ctx.beginPath(), ctx.moveTo(x + wide / 2 - 4, TOP), ctx.lineTo(x + wide / 2, TOP - 6), ctx.lineTo(x + wide / 2 + 4, TOP), ctx.fill();
}

// src/views/stack.tsx
var KEYS2 = [
  ["← → Home End", "in a chart of bars: the bar before, after, first, last (Page keys: further)"],
  ["Enter", "in a chart of bars: show it in the trace"],
  ["+ −, or drag", "in a chart of bars: fewer of them, or more; Esc: all"]
], HEIGHT_PX2 = 180, SMALL = 0.01, DRAG_PX = 5;
function Legend2({ stacked, quiet }) {
  let { parts, none, unit, mean } = stacked, small = quiet ? parts.filter((part) => part.mean < SMALL * mean) : [];
  return /* @__PURE__ */ jsxs("p", { class: "legend", children: [
    (small.length > 1 ? parts.filter((part) => !small.includes(part)) : parts).map((part) => /* @__PURE__ */ jsxs("span", { title: `${part.column.help}
⌀ ${exactValue(part.mean, unit)}`, children: [
      /* @__PURE__ */ jsx("i", { style: { background: `var(${part.variable})` } }),
      part.title,
      !quiet && ` ${formatNumber(part.mean, unit)} `,
      !quiet && /* @__PURE__ */ jsx("span", { class: "soft", children: percent(mean ? part.mean / mean : 0) })
    ] }, part.column.name)),
    small.length > 1 && /* @__PURE__ */ jsxs("span", { title: small.map(({ title, mean: part }) => `${title} ${formatNumber(part, unit)}`).join(`
`), children: [
      small.map(({ column, variable }) => /* @__PURE__ */ jsx("i", { style: { background: `var(${variable})` } }, column.name)),
      small.length,
      " others"
    ] }),
    none.length > 0 && !quiet && /* @__PURE__ */ jsxs("span", { class: "soft none", title: none.join(", "), children: [
      "none: ",
      none.join(", ")
    ] })
  ] });
}
function Parts({ stacked, row }) {
  let { parts, totals, unit } = stacked, shown = parts.filter(({ values }) => values[row] > 0).reverse();
  return /* @__PURE__ */ jsx("table", { children: /* @__PURE__ */ jsx("tbody", { children: shown.map(({ column, title, variable, values }) => /* @__PURE__ */ jsxs("tr", { children: [
    /* @__PURE__ */ jsxs("td", { children: [
      /* @__PURE__ */ jsx("i", { style: { background: `var(${variable})` } }),
      " ",
      title
    ] }),
    /* @__PURE__ */ jsx("td", { class: "number", children: formatNumber(values[row], unit) }),
    /* @__PURE__ */ jsx("td", { class: "number soft", children: percent(values[row] / totals[row]) })
  ] }, column.name)) }) });
}
function Tip({ stacked, plot, row, noun }) {
  let bar = plot.bars[barOf(plot, row)];
  if (!bar) return null;
  let x = centre(plot, barOf(plot, row)), style = x > plot.width / 2 ? { right: `${plot.width - x + 12}px` } : { left: `${x + 12}px` }, among = bar.last > bar.first ? `of ${counted(bar.last - bar.first + 1, noun)} here, ` : "";
  return /* @__PURE__ */ jsxs("div", { class: "chart-tip", style, role: "tooltip", children: [
    /* @__PURE__ */ jsxs("p", { children: [
      /* @__PURE__ */ jsx("b", { children: stacked.names[row] }),
      " ",
      formatNumber(stacked.totals[row], stacked.unit)
    ] }),
    among && /* @__PURE__ */ jsxs("p", { class: "soft", children: [
      row === bar.slowest ? `the longest ${among}` : among,
      formatNumber(bar.total, stacked.unit),
      " on average"
    ] }),
    stacked.cut[row] && /* @__PURE__ */ jsx("p", { class: "cut", children: whyCut(stacked.cut[row]) }),
    /* @__PURE__ */ jsx(Parts, { stacked, row })
  ] });
}
function useCanvas(stacked, range, row, mean, height) {
  let canvas = useRef(null), [width, setWidth] = useState(0), [painted, again] = useState(0), plot = useMemo(
    () => stacked && width ? plotOf(stacked, range.from, range.to, width, height) : null,
    [stacked, range, width, height]
  );
  return useEffect(() => {
    let element = canvas.current;
    if (!element) return;
    let sizes = new ResizeObserver(() => setWidth(element.clientWidth));
    sizes.observe(element), setWidth(element.clientWidth);
    let end = onTheme(() => again((n) => n + 1));
    return () => {
      sizes.disconnect(), end();
    };
  }, [stacked]), useEffect(() => {
    let context = canvas.current?.getContext("2d");
    if (!context || !plot || !stacked) return;
    let ratio = window.devicePixelRatio || 1;
    context.canvas.width = Math.round(width * ratio), context.canvas.height = Math.round(height * ratio), context.setTransform(ratio, 0, 0, ratio, 0, 0), drawStack(context, plot, stacked, stacked.names.length > 1 ? mean : 0, row === null ? null : barOf(plot, row));
  }, [plot, row, mean, painted]), { canvas, plot };
}
function rangeOf2(bars, rows2) {
  let [, from, to] = (/^(\d{1,9})-(\d{1,9})$/.exec(bars) ?? []).map(Number);
  return from !== void 0 && to !== void 0 && from < to && to <= rows2 ? { from, to } : null;
}
function zoomed({ from, to }, row, factor, rows2) {
  let size = Math.max(1, Math.min(rows2, Math.round((to - from) / factor))), begin = Math.max(0, Math.min(rows2 - size, Math.round(row - (row - from) / (to - from) * size)));
  return { from: begin, to: begin + size };
}
function Stack(props) {
  let { view, spec, data } = props, stacked = useMemo(() => stackedOf(view, spec, data), [view, spec, data]);
  return stacked ? /* @__PURE__ */ jsx(Chart, { ...props, stacked }) : /* @__PURE__ */ jsxs("p", { class: "soft", children: [
    props.title,
    ": nothing to draw; no row, or every value is zero or unknown."
  ] });
}
function Chart({
  title,
  spec,
  csv,
  json,
  open,
  stacked,
  noun = "row",
  quiet = !1,
  told = !1,
  ...given2
}) {
  let { height = HEIGHT_PX2, mean = stacked.mean } = given2, rows2 = stacked.names.length, all = useMemo(() => ({ from: 0, to: rows2 }), [stacked]), [row, setRow] = useState(null);
  useEffect(() => setRow(null), [all]);
  let range = useMemo(() => rangeOf2(given2.bars, rows2) ?? all, [given2.bars, all]), setZoom = ({ from, to }) => given2.setBars(to - from < rows2 ? `${from}-${to}` : ""), { canvas, plot } = useCanvas(stacked, range, row, mean ?? stacked.mean, height), words = useMemo(() => stackInWords(stacked, noun), [stacked, noun]), leads = open !== void 0 && stacked.starts !== null, go = () => {
    let stretch2 = row === null ? null : stretchOf(stacked, row);
    stretch2 && open?.(...stretch2);
  }, pointer = usePointer(plot, setRow, go, setZoom), onKeyDown = (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    let next2 = moved(event.key, row, rows2);
    if (next2 !== null) {
      setRow(next2);
      let size = range.to - range.from;
      (next2 < range.from || next2 >= range.to) && setZoom(zoomed({ from: next2 - (size >> 1), to: next2 - (size >> 1) + size }, next2, 1, rows2));
    } else if (event.key === "Enter") go();
    else if (event.key === "+" || event.key === "-")
      setZoom(zoomed(range, row ?? range.from + range.to >> 1, event.key === "+" ? 2 : 0.5, rows2));
    else if (event.key === "Escape" && range !== all) setZoom(all);
    else return;
    event.preventDefault();
  };
  return /* @__PURE__ */ jsxs("div", { class: "stacked", children: [
    /* @__PURE__ */ jsxs("div", { class: "lines-bar", children: [
      /* @__PURE__ */ jsx("b", { title: spec.help, children: title }),
      /* @__PURE__ */ jsx("span", { class: "grow soft", children: range.to - range.from < rows2 && /* @__PURE__ */ jsxs("button", { type: "button", class: "link", onClick: () => setZoom(all), children: [
        counted(range.to - range.from, noun),
        " of ",
        rows2,
        ", show all"
      ] }) }),
      /* @__PURE__ */ jsx(Links, { csv, json })
    ] }),
    /* @__PURE__ */ jsx(
      Legend2,
      {
        stacked: told ? { ...stacked, parts: stacked.parts.filter((part) => !part.mean) } : stacked,
        quiet
      }
    ),
    /* @__PURE__ */ jsxs(
      "div",
      {
        class: leads ? "bars-plot opens" : "bars-plot",
        tabIndex: 0,
        role: "slider",
        "aria-label": title,
        "aria-description": words,
        "aria-valuemin": 0,
        "aria-valuemax": rows2 - 1,
        "aria-valuenow": row ?? 0,
        "aria-valuetext": row === null ? words : rowInWords(stacked, row),
        onKeyDown,
        onBlur: () => setRow(null),
        ...pointer.on,
        children: [
          /* @__PURE__ */ jsx("canvas", { ref: canvas, style: { height: `${height}px` } }),
          pointer.drag && /* @__PURE__ */ jsx("b", { class: "drag", style: pointer.drag }),
          plot && row !== null && !pointer.drag && /* @__PURE__ */ jsx(Tip, { stacked, plot, row, noun })
        ]
      }
    )
  ] });
}
function usePointer(plot, setRow, press2, setZoom) {
  let [drag, setDrag] = useState(null), rowUnder = (x) => {
    let bar = plot && barAt(plot, x);
    return bar === null ? null : plot.bars[bar].slowest;
  }, inside = (x) => Math.max(plot.left, Math.min(x, plot.left + plot.step * plot.bars.length - 1)), isDrag = drag !== null && Math.abs(drag.to - drag.from) >= DRAG_PX, on = {
    onPointerDown: (event) => {
      event.button !== 0 || !plot || (event.currentTarget.setPointerCapture(event.pointerId), setDrag({ from: event.offsetX, to: event.offsetX }));
    },
    onPointerMove: (event) => {
      setRow(rowUnder(event.offsetX)), drag && setDrag({ ...drag, to: event.offsetX });
    },
    onPointerUp: (event) => {
      if (plot && drag && isDrag) {
        let [a, b] = [drag.from, drag.to].map((x) => plot.bars[barAt(plot, inside(x))]);
        a && b && setZoom({ from: Math.min(a.first, b.first), to: Math.max(a.last, b.last) + 1 });
      } else drag && rowUnder(event.offsetX) !== null && press2();
      setDrag(null);
    },
    onPointerLeave: () => setRow(null),
    onPointerCancel: () => setDrag(null)
  }, box = isDrag && drag ? [drag.from, drag.to].map(inside).sort((a, b) => a - b) : null;
  return { on, drag: box && { left: `${box[0]}px`, width: `${box[1] - box[0]}px` } };
}

// src/views/charts.tsx
function viewOf({ answer, page }, kind, table) {
  let view = page.tool.views.find((one) => one.kind === kind && (table ?? one.table) === one.table), spec = page.tool.tables.find(({ name }) => name === view?.table), data = spec && answer.tables[spec.name], isKnown = view?.values.some((name) => data?.columns[name]?.some((cell) => cell !== null));
  return view && spec && data && isKnown && rowCount(data) ? { view, spec, data } : void 0;
}
function common(page, view, spec) {
  return {
    title: view.title || spec.title,
    csv: page.api.url({ ...given(page), format: "csv", table: spec.name }),
    json: page.api.url(given(page)),
    bars: page.selection.params.bars ?? "",
    setBars: (bars) => page.navigate({ params: { ...page.selection.params, bars } }, "replace"),
    open: (...stretch2) => page.navigate(stretchInTrace(...stretch2))
  };
}
function StepChart({ answer, page, mean = null, ...look }) {
  let found = viewOf({ answer, page }, "stack");
  if (!found) return null;
  let shared = common(page, found.view, found.spec);
  return /* @__PURE__ */ jsx(Panel, { title: shared.title, bare: !0, children: /* @__PURE__ */ jsx(Stack, { ...found, ...shared, ...look, mean: mean ?? void 0 }) });
}
function LineChart(part) {
  let found = viewOf(part, "lines");
  if (!found) return null;
  let shared = common(part.page, found.view, found.spec);
  return /* @__PURE__ */ jsx(Panel, { title: shared.title, bare: !0, children: /* @__PURE__ */ jsx(Lines, { ...found, ...shared }) });
}

// src/shell/popover.tsx
function Popover(props) {
  let [open, setOpen] = useState(!1), root = useRef(null), button = useRef(null), close = () => {
    setOpen(!1), button.current?.focus();
  };
  useEffect(() => {
    if (!open) return;
    let outside = (event) => {
      root.current?.contains(event.target) || setOpen(!1);
    };
    return document.addEventListener("pointerdown", outside), () => document.removeEventListener("pointerdown", outside);
  }, [open]);
  let onKeyDown = (event) => {
    event.key !== "Escape" || !open || (event.stopPropagation(), close());
  }, onFocusOut = (event) => {
    event.relatedTarget && !root.current?.contains(event.relatedTarget) && setOpen(!1);
  };
  return /* @__PURE__ */ jsxs("div", { class: `popover ${props.class ?? ""}`, ref: root, onKeyDown, onFocusOut, children: [
    /* @__PURE__ */ jsx(
      "button",
      {
        id: props.id,
        ref: button,
        type: "button",
        title: props.label,
        "aria-label": props.label,
        "aria-expanded": open,
        onClick: () => setOpen(!open),
        children: props.button
      }
    ),
    open && /* @__PURE__ */ jsx("div", { class: "popover-panel", role: "dialog", "aria-label": props.label, children: props.children(close) })
  ] });
}

// src/views/facts.tsx
function reasons(columns, unknown) {
  let found = /* @__PURE__ */ new Map();
  for (let column of columns) {
    let reason = unknown[column.name];
    reason !== void 0 && found.set(reason, [...found.get(reason) ?? [], label(column)]);
  }
  return found;
}
function Facts(props) {
  let { columns, values } = props, known2 = columns.filter((column) => values[column.name] !== null && values[column.name] !== void 0);
  return /* @__PURE__ */ jsxs("div", { class: "facts", children: [
    /* @__PURE__ */ jsx("dl", { children: known2.map((column) => /* @__PURE__ */ jsxs("div", { title: `${column.help}
${exactValue(values[column.name], column.unit)}`, children: [
      /* @__PURE__ */ jsx("dt", { children: label(column) }),
      /* @__PURE__ */ jsx("dd", { children: formatCell(values[column.name], column) })
    ] }, column.name)) }),
    /* @__PURE__ */ jsx(Unknown, { ...props })
  ] });
}
function Unknown({ columns, unknown }) {
  let found = [...reasons(columns, unknown)];
  if (!found.length) return null;
  let names = found.flatMap(([, labels2]) => labels2);
  return /* @__PURE__ */ jsxs("details", { class: "soft", children: [
    /* @__PURE__ */ jsx("summary", { title: names.join(", "), children: names.length > 3 ? `${names.length} figures are unknown` : `Unknown: ${names.join(", ")}` }),
    /* @__PURE__ */ jsx("ul", { children: found.map(([reason, labels2]) => /* @__PURE__ */ jsxs("li", { children: [
      labels2.join(", "),
      ": ",
      reason,
      "."
    ] }, reason)) })
  ] });
}

// src/views/words.tsx
function Words({ text: text2 }) {
  return text2.split("`").map((part, i) => i % 2 ? /* @__PURE__ */ jsx("code", { children: part }, i) : part);
}

// src/views/figures.tsx
function isSaid({ name, always }, { summary: summary2, unknown }) {
  let value = summary2[name];
  return always ? value != null || unknown[name] !== void 0 : value != null && value !== 0 && value !== "";
}
function One({ figure, answer, columns }) {
  let column = columns.get(figure.name);
  if (!column || !isSaid(figure, answer)) return null;
  let value = answer.summary[figure.name] ?? null, why = value === null ? `Unknown: ${answer.unknown[figure.name]}` : exactValue(value, column.unit);
  return /* @__PURE__ */ jsx("span", { title: `${label(column)}: ${column.help}
${why}`, children: figure.words.split(/[{}]/).map((part, i) => {
    if (i % 2 === 0) return part;
    let found = answer.summary[part || figure.name] ?? null, shown = typeof found == "number" && figure.of ? figure.of(found) : found;
    return /* @__PURE__ */ jsx("b", { children: formatCell(shown, columns.get(part) ?? column) }, i);
  }) });
}
function Figures({ answer, page, groups }) {
  let columns = new Map(page.tool.summary.map((column) => [column.name, column])), said = groups.filter(({ figures }) => figures.some((figure) => isSaid(figure, answer)));
  return /* @__PURE__ */ jsx("div", { class: "figures", children: said.map(({ title, figures }) => /* @__PURE__ */ jsxs("p", { children: [
    title && /* @__PURE__ */ jsx("span", { class: "soft", children: title }),
    figures.map((figure) => /* @__PURE__ */ jsx(One, { figure, answer, columns }, figure.name))
  ] }, title)) });
}
function AllFigures({ answer, columns }) {
  let { summary: summary2, unknown } = answer, known2 = columns.filter(({ name }) => summary2[name] != null && summary2[name] !== "");
  return /* @__PURE__ */ jsx(Popover, { label: "All figures, and why some are unknown", button: /* @__PURE__ */ jsx(Fragment2, { children: "all figures ▸" }), class: "right all-figures", children: () => /* @__PURE__ */ jsxs(Fragment2, { children: [
    /* @__PURE__ */ jsx("dl", { children: known2.map((column) => /* @__PURE__ */ jsxs("div", { title: `${column.help}
${exactValue(summary2[column.name], column.unit)}`, children: [
      /* @__PURE__ */ jsx("dt", { children: label(column) }),
      /* @__PURE__ */ jsx("dd", { children: /* @__PURE__ */ jsx(Words, { text: formatCell(summary2[column.name], column) }) })
    ] }, column.name)) }),
    [...reasons(columns, unknown)].map(([reason, labels2]) => /* @__PURE__ */ jsxs("p", { children: [
      /* @__PURE__ */ jsx("b", { children: "Unknown" }),
      ", because ",
      /* @__PURE__ */ jsx(Words, { text: reason }),
      ": ",
      /* @__PURE__ */ jsxs("span", { class: "soft", children: [
        labels2.join(", "),
        "."
      ] })
    ] }, reason))
  ] }) });
}

// src/views/places.ts
function ps(cell) {
  return typeof cell == "number" ? Math.round(cell * 1e9) : NaN;
}
function stepOf({ hosts, tables }, where) {
  let { step: step2 = [], host: host2, start_ms = [], duration_ms = [] } = tables.steps?.columns ?? {}, { start_ps, end_ps } = where, middle3 = (start_ps + end_ps) / 2, row = step2.findIndex((_, i) => {
    let [start, length2] = [ps(start_ms[i]), ps(duration_ms[i])];
    return hosts.length > 1 ? host2?.[i] === where.host && length2 === end_ps - start_ps : start <= middle3 && middle3 < start + length2;
  });
  return row < 0 ? null : String(step2[row]);
}
function stepsOfAll(answer, places) {
  let named = places.map((where) => stepOf(answer, where)).filter((step2) => step2 !== null);
  return new Set(named).size === places.length ? named : null;
}

// src/views/findings.tsx
var Titles = createContext({}), MARKS = { warning: "▲", note: "●", info: "○" };
function stretch(answer, where) {
  let { host: host2, start_ps, end_ps } = where, step2 = stepOf(answer, where), [length2, start] = [end_ps - start_ps, start_ps].map((time) => formatNumber(time, "ps"));
  return `${step2 === null ? "" : `step ${step2}: `}${length2} on ${host2}, ${start} after the capture's start`;
}
function Proof({ finding, answer, navigate }) {
  let { tool, evidence } = finding, titles = useContext(Titles);
  if (!tool) return null;
  let places = tool === "trace_viewer" ? evidence : [], steps = stepsOfAll(answer, places), go = (where) => () => navigate(toProof(finding, where));
  return /* @__PURE__ */ jsxs("span", { class: "proof", children: [
    /* @__PURE__ */ jsxs("button", { type: "button", class: "link", title: places[0] && stretch(answer, places[0]), onClick: go(places[0]), children: [
      finding.search ? "find" : "show",
      " in ",
      titles[tool] ?? tool,
      " ▸"
    ] }),
    places.length > 1 && /* @__PURE__ */ jsx("span", { class: "soft", children: steps ? " at steps" : " at places" }),
    places.length > 1 && places.map((where, i) => /* @__PURE__ */ jsxs("span", { children: [
      " ",
      /* @__PURE__ */ jsx(
        "button",
        {
          type: "button",
          class: "link",
          title: stretch(answer, where),
          "aria-label": steps ? `step ${steps[i]}` : `place ${i + 1}`,
          onClick: go(where),
          children: steps?.[i] ?? i + 1
        }
      )
    ] }, i))
  ] });
}
function Findings({ findings, ...rest }) {
  return /* @__PURE__ */ jsx("ul", { class: "findings", children: findings.map((finding) => /* @__PURE__ */ jsxs("li", { class: finding.severity, children: [
    /* @__PURE__ */ jsx("span", { class: "mark", role: "img", "aria-label": finding.severity, title: finding.severity, children: MARKS[finding.severity] }),
    /* @__PURE__ */ jsxs("div", { children: [
      /* @__PURE__ */ jsx("strong", { children: /* @__PURE__ */ jsx(Words, { text: finding.title }) }),
      finding.share !== null && !finding.title.includes("%") && /* @__PURE__ */ jsxs("span", { class: "soft number", children: [
        " · ",
        percent(finding.share)
      ] }),
      /* @__PURE__ */ jsxs("p", { children: [
        /* @__PURE__ */ jsx(Words, { text: finding.action }),
        " ",
        /* @__PURE__ */ jsx("span", { class: "soft", children: /* @__PURE__ */ jsx(Words, { text: finding.detail }) }),
        " ",
        /* @__PURE__ */ jsx(Proof, { finding, ...rest })
      ] })
    ] })
  ] }, finding.title)) });
}
function Headline({ finding, ...rest }) {
  let { title, severity, detail, action } = finding;
  return /* @__PURE__ */ jsxs("div", { class: `headline ${severity}`, children: [
    /* @__PURE__ */ jsxs("h1", { children: [
      /* @__PURE__ */ jsx("span", { class: "mark", role: "img", "aria-label": severity, title: severity, children: MARKS[severity] }),
      " ",
      /* @__PURE__ */ jsx(Words, { text: title })
    ] }),
    /* @__PURE__ */ jsxs("p", { children: [
      /* @__PURE__ */ jsx(Words, { text: action }),
      " ",
      /* @__PURE__ */ jsx("span", { class: "soft", children: /* @__PURE__ */ jsx(Words, { text: detail }) }),
      " ",
      /* @__PURE__ */ jsx(Proof, { finding, ...rest })
    ] })
  ] });
}

// src/views/states.tsx
var Reading = createContext("Reading…");
function reading(run, hosts) {
  let files = run?.hosts.filter((host2) => !hosts.length || hosts.includes(host2.name)) ?? [];
  if (!files.length) return "Reading…";
  let bytes = files.reduce((sum, host2) => sum + host2.size_bytes, 0);
  return `Reading ${files.length === 1 ? files[0].name : counted(files.length, "host")}, ${formatBytes(bytes)}…`;
}
var TITLES = {
  not_found: "Not found",
  bad_argument: "Not understood",
  unreadable: "This capture cannot be read",
  remote: "The other machine did not answer",
  unreachable: "TensorBoard does not answer"
};
function Failure({ error, again }) {
  return /* @__PURE__ */ jsxs("section", { class: "panel failure", role: "alert", children: [
    /* @__PURE__ */ jsx("h2", { children: TITLES[error.kind] ?? "The server failed" }),
    /* @__PURE__ */ jsx("p", { class: "message", children: error.message }),
    again && /* @__PURE__ */ jsx("p", { children: /* @__PURE__ */ jsx("button", { type: "button", onClick: again, children: "Try again" }) })
  ] });
}
function Shown({ asked, children }) {
  let text2 = useContext(Reading), { answer, error, waiting } = asked;
  return /* @__PURE__ */ jsxs("div", { class: "shown", "aria-busy": waiting, children: [
    /* @__PURE__ */ jsx("p", { class: "waiting", role: "status", children: waiting ? text2 : "" }),
    error && !waiting && /* @__PURE__ */ jsx(Failure, { error, again: asked.again }),
    answer && !error && /* @__PURE__ */ jsx("div", { class: waiting ? "stack dimmed" : "stack", children: children(answer) })
  ] });
}

// src/views/steps_from.tsx
var OPTION = "steps_from";
function text(answer, name) {
  return String(answer?.summary[name] ?? "");
}
function How({ answer }) {
  let { summary: summary2, unknown } = answer, title = text(answer, "step_rule_title") || text(answer, "step_rule"), left = Number(summary2.steps_not_counted ?? 0);
  return !title && summary2.step_count ? null : title ? /* @__PURE__ */ jsxs(Fragment2, { children: [
    /* @__PURE__ */ jsxs("p", { children: [
      /* @__PURE__ */ jsx("b", { children: title }),
      " ",
      /* @__PURE__ */ jsx("span", { class: "soft", children: text(answer, "step_confidence") })
    ] }),
    /* @__PURE__ */ jsx("p", { children: /* @__PURE__ */ jsx(Words, { text: text(answer, "step_evidence") }) }),
    left > 0 && /* @__PURE__ */ jsxs("p", { class: "soft", children: [
      counted(left, "step"),
      " of ",
      String(summary2.step_count),
      " in no mean: cut by the capture, or nothing follows."
    ] })
  ] }) : /* @__PURE__ */ jsx("p", { children: /* @__PURE__ */ jsx(Words, { text: unknown.step_count ?? unknown.step_time_ms ?? "No step was found." }) });
}
function Choose({ page }) {
  let option = page.tool.options.find(({ name }) => name === OPTION), chosen = page.selection.params[OPTION] ?? "auto", choose = (value) => page.navigate({ params: { ...page.selection.params, [OPTION]: value === "auto" ? "" : value.trim() } }), offers = option?.offers ?? [], onSubmit = (event) => {
    event.preventDefault(), choose(String(new FormData(event.currentTarget).get(OPTION) ?? "") || "auto");
  };
  return /* @__PURE__ */ jsxs(Fragment2, { children: [
    /* @__PURE__ */ jsx("h2", { children: "Find them by" }),
    /* @__PURE__ */ jsx("p", { class: "offers", children: offers.map((offer) => /* @__PURE__ */ jsx("button", { type: "button", "aria-pressed": offer === chosen, onClick: () => choose(offer), children: offer }, offer)) }),
    /* @__PURE__ */ jsxs("form", { onSubmit, children: [
      /* @__PURE__ */ jsxs("label", { title: option?.help, children: [
        "or the name of an event, or a /regular expression/",
        /* @__PURE__ */ jsx(
          "input",
          {
            type: "text",
            name: OPTION,
            spellcheck: !1,
            placeholder: "train_step or /^train.*/",
            defaultValue: offers.includes(chosen) ? "" : chosen
          }
        )
      ] }),
      " ",
      /* @__PURE__ */ jsx("button", { type: "submit", children: "Find" })
    ] })
  ] });
}
function StepsFrom({ answer, page }) {
  let rule = text(answer, "step_rule_title") || text(answer, "step_rule"), sure = text(answer, "step_confidence"), said = rule ? `found by: ${rule}${sure && sure !== "certain" ? ` (${sure})` : ""}` : "how steps are found";
  return /* @__PURE__ */ jsx(Popover, { label: "How steps are found", button: /* @__PURE__ */ jsxs(Fragment2, { children: [
    said,
    " ▸"
  ] }), class: "right steps-from", children: () => /* @__PURE__ */ jsxs("div", { class: "quality-details", children: [
    answer && /* @__PURE__ */ jsx(How, { answer }),
    /* @__PURE__ */ jsx(Choose, { page })
  ] }) });
}
function ShownSteps({
  asked,
  page,
  children
}) {
  let { answer, error } = asked, isMine = error?.kind === "bad_argument" && page.selection.params[OPTION] !== void 0;
  return /* @__PURE__ */ jsxs(Fragment2, { children: [
    isMine && /* @__PURE__ */ jsxs(Panel, { title: "", class: "refused", children: [
      /* @__PURE__ */ jsx("p", { role: "alert", children: error.message }),
      /* @__PURE__ */ jsx(StepsFrom, { answer: null, page })
    ] }),
    (!isMine || answer) && /* @__PURE__ */ jsx(Shown, { asked: isMine ? { ...asked, error: null } : asked, children })
  ] });
}

// src/views/step_line.tsx
function StepLine({ answer, page }) {
  let { summary: summary2, unknown } = answer, value = (name) => {
    let found = summary2[name];
    return typeof found == "number" ? found : null;
  }, said = (name, text2, look = "") => {
    let [number3, column] = [value(name), page.tool.summary.find((c) => c.name === name)];
    if (number3 === null || !column) return null;
    let shown = formatNumber(number3, column.unit);
    return /* @__PURE__ */ jsx("span", { class: look, title: `${column.help}
${exactValue(number3, column.unit)}`, children: text2(shown) });
  }, [count2, low, high] = ["step_count", "step_time_min_ms", "step_time_max_ms"].map(value), why = unknown.step_time_ms, isTold = answer.findings.some(({ title, detail }) => `${title} ${detail}`.includes(why ?? ""));
  return /* @__PURE__ */ jsxs("div", { class: "step-line", children: [
    said("step_time_ms", (ms) => `${ms} a step`, "lead"),
    said("step_time_sd_ms", (ms) => `±${ms}`),
    !!count2 && /* @__PURE__ */ jsx("span", { children: counted(count2, "step") }),
    said("steps_per_second", (rate) => `${rate.replace(/ ?\/s$/, "")} steps/s`),
    said("step_time_median_ms", (ms) => `median ${ms}`),
    said("step_time_p95_ms", (ms) => `p95 ${ms}`),
    typeof low == "number" && typeof high == "number" && high > low && /* @__PURE__ */ jsxs("span", { title: "The shortest and the longest step", children: [
      formatNumber(low, "ms"),
      " – ",
      formatNumber(high, "ms")
    ] }),
    why !== void 0 && /* @__PURE__ */ jsxs("span", { class: "soft", title: why, children: [
      count2 ? "Step time unknown" : "No steps",
      !isTold && /* @__PURE__ */ jsx(Words, { text: `: ${why.replace(/^no steps: /, "")}` })
    ] }),
    /* @__PURE__ */ jsxs("div", { class: "step-buttons", children: [
      /* @__PURE__ */ jsx(StepsFrom, { answer, page }),
      /* @__PURE__ */ jsx(AllFigures, { answer, columns: page.tool.summary })
    ] })
  ] });
}

// src/views/table_state.ts
function tableState(params, table) {
  let sort = params[`${table}.sort`];
  return {
    filter: params[`${table}.filter`] ?? "",
    sort: sort ? { column: sort.replace(/^-/, ""), down: sort.startsWith("-") } : null
  };
}
function withTableState(params, table, { filter, sort }) {
  let { [`${table}.filter`]: _filter, [`${table}.sort`]: _sort, ...rest } = params;
  return filter && (rest[`${table}.filter`] = filter), sort && (rest[`${table}.sort`] = `${sort.down ? "-" : ""}${sort.column}`), rest;
}
function useTableState(selection, navigate, table) {
  return {
    state: tableState(selection.params, table),
    setState: (state) => navigate({ params: withTableState(selection.params, table, state) }, "replace")
  };
}

// src/views/table_panel.tsx
function titleFor(title, count2) {
  let [, ten, rest = title] = /^(Top 10 )?(.+)$/.exec(title) ?? [], whole2 = ten && count2 < 10 ? rest.charAt(0).toUpperCase() + rest.slice(1) : title;
  return count2 === 1 ? whole2.replace(/s$/, "") : whole2;
}
function TablePanel({ answer, page, table, show, sort = null, more, ...look }) {
  let spec = page.tool.tables.find((t) => t.name === table), data = answer.tables[table], { state, setState } = useTableState(page.selection, page.navigate, table);
  if (!spec || !data || !rowCount(data)) return null;
  let title = titleFor(spec.title, rowCount(data));
  return /* @__PURE__ */ jsx(Panel, { title, bare: !0, class: `shrinks ${look.class ?? (sort ? "short" : "")}`, children: /* @__PURE__ */ jsx(
    DataTable,
    {
      title,
      spec,
      data,
      show,
      csv: page.api.url({ ...given(page), format: "csv", table }),
      json: page.api.url(given(page)),
      find: (name) => page.navigate(searchInTrace(name)),
      setState,
      state: { ...state, sort: state.sort ?? sort },
      more
    }
  ) });
}
function TablePart(props) {
  return /* @__PURE__ */ jsx(Boundary, { what: props.table, children: /* @__PURE__ */ jsx(TablePanel, { ...props }) });
}

// src/tools/input_pipeline.tsx
var keys = KEYS2;
function number(value) {
  return typeof value == "number" ? value : null;
}
function Gauge({ answer: { summary: summary2 } }) {
  let [share, step2, wait, copy] = ["input_share", "step_time_ms", "input_wait_ms", "copy_in_ms"].map(
    (name) => number(summary2[name])
  );
  if (share == null || !step2) return null;
  let parts = [
    { name: "input wait", ms: wait ?? 0, variable: "--input" },
    { name: "copy in", ms: copy ?? 0, variable: "--copy" }
  ].filter(({ ms }) => ms > 0), limits = ["moderate", "high"].map((name) => ({ name, at: number(summary2[`threshold_${name}`]) ?? 0 })), words = `Input takes ${percent(share)} of the step; ${limits.map(({ name, at }) => `${name} from ${tickText(at, "share")} on`).join(", ")}`;
  return /* @__PURE__ */ jsxs("div", { class: "gauge", role: "img", "aria-label": words, children: [
    /* @__PURE__ */ jsx("div", { class: "gauge-bar", children: parts.map(({ name, ms, variable }) => /* @__PURE__ */ jsx(
      "b",
      {
        title: `${name}: ${exactValue(ms, "ms")} a step`,
        style: { width: `${100 * ms / step2}%`, background: `var(${variable})` }
      },
      name
    )) }),
    limits.map(({ name, at }) => /* @__PURE__ */ jsxs("span", { class: "limit", style: { left: `${100 * at}%` }, children: [
      name,
      " ≥ ",
      tickText(at, "share")
    ] }, name)),
    /* @__PURE__ */ jsxs(
      "output",
      {
        style: { left: `${100 * (share > 0.5 ? Math.min(1, share) : Math.max(share, ...limits.map((l) => l.at)))}%` },
        class: share > 0.5 ? "inside" : "",
        children: [
          "input ",
          percent(share)
        ]
      }
    )
  ] });
}
var FIGURES = [
  {
    title: "Input",
    figures: [
      { name: "input_wait_ms", words: "waiting {} a step", always: !0 },
      { name: "input_wait_sd_ms", words: "±{}" },
      { name: "input_wait_max_ms", words: "({input_wait_min_ms} – {})" },
      { name: "copy_in_ms", words: "copying in {}" },
      { name: "expected_step_time_ms", words: "without it a step would take {}" }
    ]
  },
  {
    title: "Pipeline",
    figures: [
      { name: "pipeline", words: "{}" },
      { name: "bottleneck_op", words: "limited by {}" },
      { name: "bottleneck_self_ms", words: "which works {} a step" },
      { name: "input_op_self_ms", words: "all stages work {}" }
    ]
  }
];
function HostSide({ answer, page }) {
  let spec = page.tool.tables.find(({ name }) => name === "host_side"), { columns } = answer.tables.host_side ?? { columns: {} }, kinds = columns.kind ?? [];
  if (!spec || !kinds.length) return null;
  let value = (name, row) => number(columns[name]?.[row]) ?? 0, shown = (name, row) => {
    let column = spec.columns.find((c) => c.name === name);
    return column ? formatCell(columns[name]?.[row], column) : "";
  }, most = Math.max(...kinds.map((_, row) => value("self_ms", row) + value("wait_ms", row))) || 1, filled = kinds.flatMap((_, row) => value("self_ms", row) + value("wait_ms", row) > 0 ? [row] : []), none = kinds.filter((_, row) => !filled.includes(row));
  return /* @__PURE__ */ jsx(Panel, { title: spec.title, help: spec.help, children: /* @__PURE__ */ jsxs("div", { class: "bars kinds", children: [
    /* @__PURE__ */ jsxs("p", { class: "legend", children: [
      /* @__PURE__ */ jsxs("span", { children: [
        /* @__PURE__ */ jsx("i", { style: { background: "var(--host)" } }),
        "work"
      ] }),
      /* @__PURE__ */ jsxs("span", { children: [
        /* @__PURE__ */ jsx("i", { class: "hatched", style: { "--of": "var(--unknown)" } }),
        "only waiting for what feeds it"
      ] })
    ] }),
    /* @__PURE__ */ jsx("ul", { children: filled.map((row) => /* @__PURE__ */ jsxs("li", { title: String(columns.help?.[row] ?? ""), children: [
      /* @__PURE__ */ jsx("span", { children: String(kinds[row]) }),
      /* @__PURE__ */ jsxs("span", { class: "bar", children: [
        /* @__PURE__ */ jsx("b", { style: { width: `${100 * value("self_ms", row) / most}%`, background: "var(--host)" } }),
        /* @__PURE__ */ jsx(
          "b",
          {
            class: "hatched",
            style: { width: `${100 * value("wait_ms", row) / most}%`, "--of": "var(--unknown)" }
          }
        )
      ] }),
      /* @__PURE__ */ jsxs("span", { class: "number", children: [
        shown("self_ms", row),
        " ",
        /* @__PURE__ */ jsx("span", { class: "soft", children: shown("share", row) })
      ] }),
      /* @__PURE__ */ jsxs("span", { class: "number soft", children: [
        "waits ",
        formatNumber(value("wait_ms", row), "ms")
      ] })
    ] }, row)) }),
    none.length > 0 && /* @__PURE__ */ jsxs("p", { class: "soft", children: [
      "none: ",
      none.join(", ")
    ] })
  ] }) });
}
var OPS = ["op", "kind", "count", "self_ms", "self_share", "function_ms", "wait_ms", "total_ms", "total_share"];
function Report(part) {
  let { answer, page } = part, [first, ...more] = answer.findings;
  return /* @__PURE__ */ jsxs(Fragment2, { children: [
    /* @__PURE__ */ jsxs(Panel, { title: "", class: "answer", children: [
      first && /* @__PURE__ */ jsx(Headline, { finding: first, answer, navigate: page.navigate }),
      /* @__PURE__ */ jsx(StepLine, { ...part }),
      /* @__PURE__ */ jsx(Gauge, { ...part }),
      /* @__PURE__ */ jsx(Figures, { answer, page, groups: answer.summary.step_count ? FIGURES : FIGURES.slice(1) })
    ] }),
    /* @__PURE__ */ jsxs("div", { class: "columns capped", children: [
      /* @__PURE__ */ jsx(StepChart, { ...part, noun: "step", quiet: !0, mean: number(answer.summary.step_time_ms) }),
      /* @__PURE__ */ jsxs("div", { class: "stack", children: [
        /* @__PURE__ */ jsx(HostSide, { ...part }),
        more.length > 0 && /* @__PURE__ */ jsx(Panel, { title: "What to change", class: "shrinks", children: /* @__PURE__ */ jsx(Findings, { findings: more, answer, navigate: page.navigate }) })
      ] })
    ] }),
    /* @__PURE__ */ jsx(TablePart, { ...part, table: "ops", show: [...OPS, "threads"] })
  ] });
}
function InputPipeline(page) {
  let asked = useAnswer(page.api, given(page));
  return /* @__PURE__ */ jsx("div", { class: "page fits", children: /* @__PURE__ */ jsx(ShownSteps, { asked, page, children: (answer) => /* @__PURE__ */ jsx(Report, { answer, page }) }) });
}

// src/tools/overview.tsx
var overview_exports = {};
__export(overview_exports, {
  default: () => Overview,
  keys: () => keys2
});

// src/views/split_bar.tsx
function partsOf({ columns }) {
  let number3 = (name, row) => Number(columns[name]?.[row] ?? 0);
  return (columns.category ?? []).map((key, row) => ({
    key: String(key),
    group: String(columns.group?.[row] ?? ""),
    title: String(columns.title?.[row] ?? key),
    ms: number3("step_ms", row),
    share: number3("share", row),
    hidden: number3("hidden_ms", row),
    help: String(columns.help?.[row] ?? "")
  }));
}
function stretchFor(key, steps) {
  let values = (steps?.columns[`${key}_ms`] ?? []).map(Number);
  if (!steps || !values.length) return null;
  let row = values.reduce((best, value, i) => value > values[best] ? i : best, 0), cells = (name) => (steps.columns[name] ?? []).map((cell) => cell === null ? null : Number(cell)), stretch2 = stretchOf({ starts: cells("start_ms"), lengths: cells("duration_ms") }, row);
  return stretch2 && [String(steps.columns.name?.[row] ?? ""), ...stretch2];
}
var LETTER_PX2 = 6.8, PADDING_PX2 = 16, WORTH_HIDING = ["collective", "copy", "input"], LEAST_HIDDEN = 0.01;
function fitting(texts2, px) {
  return texts2.find((text2) => text2.length * LETTER_PX2 + PADDING_PX2 <= px) ?? "";
}
function useWidth() {
  let box = useRef(null), [width, setWidth] = useState(0);
  return useEffect(() => {
    let sizes = new ResizeObserver(() => setWidth(box.current?.clientWidth ?? 0));
    return box.current && sizes.observe(box.current), () => sizes.disconnect();
  }, []), { box, width };
}
function Segment({ part, text: text2, steps, open }) {
  let { key, title, ms, share, hidden, help } = part, stretch2 = stretchFor(key, steps), variable = categoryOf(key), said = [
    `${title}: ${exactValue(ms, "ms")} a step, ${percent(share)}`,
    help,
    hidden > 0 ? `Another ${formatNumber(hidden, "ms")} of it is hidden behind other parts.` : "",
    stretch2 ? `Press to see ${stretch2[0]}, which has most of it, in the trace.` : ""
  ].filter(Boolean);
  return /* @__PURE__ */ jsx(
    "button",
    {
      type: "button",
      "aria-label": said[0],
      title: said.join(`
`),
      style: { flexGrow: share, background: `var(${variable})`, color: `var(${variable}-text)` },
      onClick: () => stretch2 && open(stretch2[1], stretch2[2]),
      children: text2
    }
  );
}
function SplitBar({ answer, open }) {
  let { box, width } = useWidth(), all = partsOf(answer.tables.split ?? { columns: {} }), shown = all.filter(({ ms }) => ms > 0).sort((a, b) => b.ms - a.ms);
  if (!shown.length) return null;
  let texts2 = new Map(
    shown.map((part) => {
      let ms = formatNumber(part.ms, "ms"), full = `${part.title} ${ms}`;
      return [part, fitting([`${full} · ${percent(part.share)}`, full, ms], part.share * width)];
    })
  ), unsaid = shown.filter((part) => !texts2.get(part).startsWith(part.title)), step2 = shown.reduce((sum, { ms }) => sum + ms, 0), hidden = all.filter((part) => WORTH_HIDING.includes(part.group) && part.hidden > LEAST_HIDDEN * step2), none = all.filter(({ ms, hidden: also }) => ms <= 0 && also <= 0), names = namesOfNone(
    none.map(({ key, title }) => [key, title]),
    shown.map(({ key }) => key)
  );
  return /* @__PURE__ */ jsxs("div", { class: "split", children: [
    /* @__PURE__ */ jsx("div", { class: "split-bar", ref: box, role: "group", "aria-label": "Where a step's time goes", children: shown.map((part) => /* @__PURE__ */ jsx(Segment, { part, text: texts2.get(part), steps: answer.tables.steps, open }, part.key)) }),
    /* @__PURE__ */ jsxs("p", { class: "legend", children: [
      unsaid.map((part) => /* @__PURE__ */ jsxs("span", { title: part.help, children: [
        /* @__PURE__ */ jsx("i", { style: { background: `var(${categoryOf(part.key)})` } }),
        part.title,
        " ",
        formatNumber(part.ms, "ms")
      ] }, part.key)),
      hidden.map((part) => /* @__PURE__ */ jsxs("span", { title: `${part.help}
It runs while another part of the step counts.`, children: [
        /* @__PURE__ */ jsx("i", { class: "hatched", style: { "--of": `var(${categoryOf(part.key)})` } }),
        "+ ",
        formatNumber(part.hidden, "ms"),
        " ",
        part.title.toLowerCase(),
        " hidden"
      ] }, `+${part.key}`)),
      names.length > 0 && /* @__PURE__ */ jsxs("span", { class: "soft none", title: none.map(({ title, help }) => `${title}: ${help}`).join(`
`), children: [
        "none: ",
        names.join(", ")
      ] })
    ] })
  ] });
}

// src/tools/overview.tsx
var keys2 = [...KEYS2, ...KEYS];
function number2(value) {
  return typeof value == "number" ? value : null;
}
function rows(answer, table) {
  return rowCount(answer.tables[table] ?? { columns: {} });
}
function Link({ tool, page, children }) {
  return /* @__PURE__ */ jsx("button", { type: "button", class: "link", onClick: () => page.navigate({ tool }), children });
}
var TEXT_SHARE = 0.07;
function Segment2({ share, variable, text: text2, title }) {
  if (share <= 0) return null;
  let style = { width: `${100 * share}%`, background: `var(${variable})`, color: `var(${variable}-text)` };
  return /* @__PURE__ */ jsx("b", { style, title: `${text2}: ${title}`, children: share > TEXT_SHARE && /* @__PURE__ */ jsx("span", { children: text2 }) });
}
function BusyBar({ answer }) {
  let { summary: summary2 } = answer, idle = number2(summary2.device_idle_share), host2 = number2(summary2.host_op_share);
  if (idle === null && host2 === null) return null;
  let [busy, variable, name] = idle === null ? [host2, "--host", "host ops"] : [1 - idle, "--device", "devices busy"], busyMs = summary2[idle === null ? "host_op_ms" : "device_busy_ms"], idleMs = idle === null ? null : summary2.device_idle_ms, rest = idle === null ? "no op running" : "idle";
  return /* @__PURE__ */ jsxs("div", { class: "busy-bar", role: "img", "aria-label": `${name} ${percent(busy)}, ${rest} ${percent(1 - busy)}`, children: [
    /* @__PURE__ */ jsx(Segment2, { share: busy, variable, text: `${name} ${percent(busy)}`, title: exactValue(busyMs, "ms") }),
    /* @__PURE__ */ jsx(
      Segment2,
      {
        share: 1 - busy,
        variable: "--idle",
        text: `${rest} ${percent(1 - busy)}`,
        title: idleMs === null ? percent(1 - busy) : exactValue(idleMs, "ms")
      }
    )
  ] });
}
var NOT = (share) => 1 - share, TPU = {
  title: "TPU",
  figures: [
    { name: "duty_cycle_share", words: "{} duty cycle" },
    { name: "mxu_utilization_share", words: "{} of matrix units (MXU)", always: !0 },
    { name: "hbm_utilization_share", words: "{} of memory bandwidth (HBM)", always: !0 },
    { name: "matrix_op_share", words: "{} of op time in matrix ops" },
    { name: "infeed_mean_share", words: "{} waiting for infeed ({infeed_min_share} – {infeed_max_share} by core)" },
    { name: "outfeed_share", words: "{} in outfeed" },
    { name: "step_idle_share", words: "{} of steps idle" }
  ]
}, DEVICES = {
  title: "Devices",
  figures: [
    { name: "device_idle_share", words: "{} busy", of: NOT, always: !0 },
    { name: "device_wait_share", words: "{} of op time only waits" },
    { name: "device_eager_share", words: "{} of op time eager" },
    { name: "kernel_count", words: "{} kernels and copies" }
  ]
}, USE = [
  { name: "flop_utilization_share", words: "{} of peak FLOP/s" },
  { name: "bandwidth_utilization_share", words: "{} of peak memory bandwidth" }
], PRECISION = {
  title: "Compute in",
  figures: [
    { name: "compute_8bit_share", words: "8 bits {}" },
    { name: "compute_16bit_share", words: "16 bits {}" },
    { name: "compute_tf32_share", words: "TF32 {}" },
    { name: "compute_32bit_share", words: "32 bits {}" },
    { name: "compute_64bit_share", words: "64 bits {}" },
    { name: "compute_other_share", words: "untold precision {}" }
  ]
}, HOST = {
  title: "Host",
  figures: [
    { name: "host_op_share", words: "an op runs {} of the time" },
    { name: "host_wait_share", words: "{} of op time only waits" },
    { name: "host_eager_share", words: "{} of op time eager" }
  ]
};
function groupsFor({ summary: summary2 }) {
  return summary2.device_count ? summary2.duty_cycle_share !== null ? [DEVICES, TPU, PRECISION, HOST] : [{ ...DEVICES, figures: [...DEVICES.figures, ...USE] }, PRECISION, HOST] : [HOST];
}
function TopOps({ answer, page, side }) {
  let table = `${side}_ops`, show = ["name", "self_ms", "self_share", ...answer.tables[table]?.columns.wait_share?.some((share) => share !== null) ? ["wait_share"] : [], "occurrences"];
  return /* @__PURE__ */ jsx(TablePart, { answer, page, table, show, more: /* @__PURE__ */ jsxs(Link, { tool: "op_stats", page, children: [
    "all ",
    side,
    " ops ▸"
  ] }) });
}
function Environment({ answer }) {
  let { key = [], value = [] } = answer.tables.environment?.columns ?? {}, { host_count: hosts, device_count: devices, device_type: type, framework, span_ms, start_ms } = answer.summary, facts = [
    counted(Number(hosts ?? 0), "host"),
    devices ? `${counted(Number(devices), "device")}: ${type}` : type,
    framework,
    typeof span_ms == "number" && `${formatNumber(span_ms, "ms")} captured`,
    typeof start_ms == "number" && formatTime(start_ms)
  ].filter(Boolean), pairs = key.map((name, i) => [formatValue(name, "").replaceAll("_", " "), formatValue(value[i], "")]);
  return /* @__PURE__ */ jsxs(Panel, { title: "Environment", class: "environment shrinks", children: [
    /* @__PURE__ */ jsx("p", { title: answer.unknown.framework && `Framework unknown: ${answer.unknown.framework}`, children: facts.join(" · ") }),
    /* @__PURE__ */ jsx("dl", { class: "pairs", children: pairs.map(([name, text2], i) => /* @__PURE__ */ jsxs("div", { title: `${name}: ${text2}`, children: [
      /* @__PURE__ */ jsx("dt", { children: name }),
      /* @__PURE__ */ jsx("dd", { children: /* @__PURE__ */ jsx(Name, { text: text2.replaceAll("`", "") }) })
    ] }, i)) })
  ] });
}
var MANY_DEVICES = 4;
function Tiles({ answer, page }) {
  let { columns } = answer.tables.devices, spec = page.tool.tables.find(({ name }) => name === "devices"), names = columns.device ?? [], hosts = new Set(columns.host).size, isOneEach = hosts === names.length, isKnown = columns.idle_share?.some((share) => share !== null), told = (row) => spec.columns.map((c) => `${label(c)}: ${formatCell(columns[c.name]?.[row], c)}`).join(`
`);
  return /* @__PURE__ */ jsx(
    Panel,
    {
      title: `${counted(names.length, "device")}, ${isKnown ? "busy part of the capture" : "how busy is unknown"}`,
      help: answer.unknown.device_idle_share ?? "",
      class: "tiles shrinks",
      children: /* @__PURE__ */ jsx("ul", { children: names.map((name, row) => {
        let idle = number2(columns.idle_share?.[row]), host2 = columns.host?.[row];
        return /* @__PURE__ */ jsxs(Fragment, { children: [
          hosts > 1 && !isOneEach && host2 !== columns.host?.[row - 1] && /* @__PURE__ */ jsx("li", { class: "soft tiles-host", children: host2 }),
          /* @__PURE__ */ jsxs("li", { title: told(row), children: [
            /* @__PURE__ */ jsx("span", { class: "share", children: idle !== null && /* @__PURE__ */ jsx("b", { style: { width: `${100 * (1 - idle)}%`, background: "var(--device)" } }) }),
            /* @__PURE__ */ jsx("span", { children: `${hosts > 1 && isOneEach ? `${host2}/` : ""}${name}`.replace("/device:", "") }),
            /* @__PURE__ */ jsx("output", { children: idle === null ? "–" : percent(1 - idle) })
          ] })
        ] }, row);
      }) })
    }
  );
}
function Machines(part) {
  let hosts = rows(part.answer, "hosts"), columns = ["device", "idle_share", "busy_ms", "kernels", "model", "memory_bytes"], shown = ["host", "span_ms", "op_ms", "op_count", "threads", "devices"];
  return /* @__PURE__ */ jsxs(Fragment2, { children: [
    hosts > 1 || rows(part.answer, "devices") > MANY_DEVICES ? rows(part.answer, "devices") > 0 && /* @__PURE__ */ jsx(Tiles, { ...part }) : /* @__PURE__ */ jsx(TablePart, { ...part, table: "devices", show: columns }),
    hosts > 1 && /* @__PURE__ */ jsx(TablePart, { ...part, table: "hosts", show: shown, sort: { column: "span_ms", down: !0 } })
  ] });
}
var PROGRAMS = ["program", "occurrences", "mean_ms", "total_ms", "share"];
function Report2(part) {
  let { answer, page } = part, [first, ...more] = answer.findings, sides = ["device", "host"].filter((side) => rows(answer, `${side}_ops`) > 0), hasSteps = rows(answer, "split") > 0, open = (...stretch2) => page.navigate(stretchInTrace(...stretch2));
  return /* @__PURE__ */ jsxs(Fragment2, { children: [
    /* @__PURE__ */ jsxs(Panel, { title: "", class: "answer", children: [
      first && /* @__PURE__ */ jsx(Headline, { finding: first, answer, navigate: page.navigate }),
      /* @__PURE__ */ jsx(StepLine, { ...part }),
      hasSteps ? /* @__PURE__ */ jsx(SplitBar, { answer, open }) : /* @__PURE__ */ jsx(BusyBar, { ...part }),
      /* @__PURE__ */ jsx(Figures, { answer, page, groups: groupsFor(answer) })
    ] }),
    /* @__PURE__ */ jsxs("div", { class: "columns screen", children: [
      /* @__PURE__ */ jsxs("div", { class: "stack", children: [
        /* @__PURE__ */ jsx(StepChart, { ...part, noun: "step", height: 140, quiet: !0, told: !0, mean: number2(answer.summary.step_time_ms) }),
        /* @__PURE__ */ jsx(LineChart, { ...part }),
        /* @__PURE__ */ jsx(Machines, { ...part }),
        /* @__PURE__ */ jsx(Environment, { ...part })
      ] }),
      /* @__PURE__ */ jsxs("div", { class: "stack", children: [
        sides[0] && /* @__PURE__ */ jsx(TopOps, { ...part, side: sides[0] }),
        /* @__PURE__ */ jsx(TablePart, { ...part, table: "programs", show: PROGRAMS, class: "short" }),
        more.length > 0 && /* @__PURE__ */ jsx(Panel, { title: "More findings", class: "shrinks", children: /* @__PURE__ */ jsx(Findings, { findings: more, answer, navigate: page.navigate }) }),
        sides[1] && /* @__PURE__ */ jsx(TopOps, { ...part, side: sides[1] })
      ] })
    ] })
  ] });
}
function Overview(page) {
  let asked = useAnswer(page.api, given(page));
  return /* @__PURE__ */ jsx("div", { class: "page fits", children: /* @__PURE__ */ jsx(ShownSteps, { asked, page, children: (answer) => /* @__PURE__ */ jsx(Report2, { answer, page }) }) });
}

// src/tools/pod_viewer.tsx
var pod_viewer_exports = {};
__export(pod_viewer_exports, {
  default: () => PodViewer,
  keys: () => keys3
});

// src/views/workers.ts
function stepsOf({ columns }) {
  let found = /* @__PURE__ */ new Map();
  (columns.step ?? []).forEach((step2, row) => {
    let rows3 = found.get(step2);
    rows3 ? rows3.push(row) : found.set(step2, [row]);
  });
  let rows2 = [...found.values()], names = columns.name ?? columns.step ?? [];
  return { rows: rows2, names: rows2.map(([first]) => String(names[first] ?? "")) };
}
function picked({ columns }, rows2) {
  let { name: _name, ...rest } = columns;
  return {
    columns: Object.fromEntries(Object.entries(rest).map(([key, cells]) => [key, rows2.map((row) => cells[row])]))
  };
}
function skews({ columns }, { rows: rows2 }) {
  let known2 = (name, of) => of.flatMap((row) => typeof columns[name]?.[row] == "number" ? [columns[name][row]] : []), per = (take) => rows2.map(take), extent2 = (of) => known2("work_ms", of).reduce(([low, high], v) => [Math.min(low, v), Math.max(high, v)], [1 / 0, 0]), finite = (value) => Number.isFinite(value) ? value : null, first = (name) => per((of) => columns[name]?.[of[0]] ?? null);
  return {
    columns: {
      step: first("step"),
      name: first("name"),
      cut: first("cut"),
      start_ms: per((of) => finite(Math.min(...known2("start_ms", of)))),
      duration_ms: per((of) => finite(Math.max(...known2("duration_ms", of)))),
      work_ms: per((of) => finite(extent2(of)[0])),
      skew_ms: per((of) => finite(extent2(of)[1] - extent2(of)[0]))
    }
  };
}
function ordered(names, totals, by) {
  let rows2 = names.map((_, row) => row), collator = new Intl.Collator("en", { numeric: !0 });
  return rows2.sort((a, b) => by === "time" ? totals[b] - totals[a] : collator.compare(names[a], names[b]));
}

// src/views/worker_bars.tsx
var ROW_PX2 = 24, MOST_ROWS = 16, MARK_CH = 2;
function WorkerBars(props) {
  let { view, spec, data } = props, stacked = useMemo(() => stackedOf({ ...view, label: "worker" }, spec, data), [view, spec, data]);
  return stacked ? /* @__PURE__ */ jsx(Bars, { ...props, stacked }) : /* @__PURE__ */ jsx("p", { class: "soft", children: "No worker spent time in this step." });
}
function Bar({ stacked, row, most }) {
  return /* @__PURE__ */ jsx("span", { class: "bar", children: stacked.parts.map(
    ({ column, variable, values }) => values[row] > 0 ? /* @__PURE__ */ jsx(
      "b",
      {
        style: { width: `${100 * values[row] / most}%`, background: `var(${variable})` },
        class: stacked.cut[row] ? "cut" : ""
      },
      column.name
    ) : null
  ) });
}
function workOf({ columns }, { totals }) {
  let work = columns.work_ms ?? [];
  return totals.map((total2, row) => typeof work[row] == "number" ? work[row] : total2);
}
function Bars({ title, data, by, late, open, stacked }) {
  let { names, totals, unit } = stacked, work = useMemo(() => workOf(data, stacked), [stacked]), rows2 = useMemo(() => ordered(names, work, by), [work, by]), most = totals.reduce((best, total2) => Math.max(best, total2), 0), widest = names.reduce((best, name) => Math.max(best, name.length), 0), scroller = useRef(null), virtual = useVirtualRows(scroller, rows2.length, ROW_PX2), chosen = useChosen(rows2, (index) => virtual.scrollToIndex(index)), [hover, setHover] = useState(null), go = (row) => {
    let stretch2 = row === void 0 ? null : stretchOf(stacked, row);
    stretch2 && open(...stretch2);
  }, onKeyDown = (event) => {
    !chosen.onKey(event) && event.key === "Enter" && go(chosen.at);
  }, looked = hover ?? chosen.at, at = looked !== void 0 && looked < names.length ? looked : void 0;
  return /* @__PURE__ */ jsxs("div", { class: "workers", children: [
    /* @__PURE__ */ jsx(Legend2, { stacked, quiet: !1 }),
    /* @__PURE__ */ jsxs(
      "ul",
      {
        ref: scroller,
        role: "listbox",
        tabIndex: 0,
        "aria-label": title,
        style: { height: `${ROW_PX2 * Math.min(rows2.length, MOST_ROWS)}px`, "--name": `${widest + MARK_CH}ch` },
        onKeyDown,
        onMouseLeave: () => setHover(null),
        children: [
          /* @__PURE__ */ jsx("li", { role: "presentation", style: { height: `${virtual.getTotalSize()}px` } }),
          virtual.getVirtualItems().map(({ index, start }) => {
            let row = rows2[index], isLate = late && [names[row], data.columns.host?.[row]].includes(late);
            return /* @__PURE__ */ jsxs(
              "li",
              {
                role: "option",
                "aria-selected": row === at,
                style: { top: `${start}px` },
                class: stacked.starts ? "opens" : "",
                onMouseEnter: () => setHover(row),
                onClick: () => go(row),
                children: [
                  /* @__PURE__ */ jsx(Name, { text: `${isLate ? "▲ " : ""}${names[row]}` }),
                  /* @__PURE__ */ jsx(Bar, { stacked, row, most }),
                  /* @__PURE__ */ jsxs("span", { class: "number", title: "Its own work: without what it waits for others", children: [
                    formatNumber(work[row], unit),
                    " own"
                  ] }),
                  /* @__PURE__ */ jsx("span", { class: "soft", children: String(data.columns.bottleneck?.[row] ?? "") })
                ]
              },
              row
            );
          })
        ]
      }
    ),
    at !== void 0 && /* @__PURE__ */ jsxs("div", { class: "chart-tip", role: "tooltip", children: [
      /* @__PURE__ */ jsxs("p", { children: [
        /* @__PURE__ */ jsx("b", { children: names[at] }),
        " ",
        formatNumber(totals[at], unit),
        ", ",
        formatNumber(work[at], unit),
        " own work"
      ] }),
      stacked.cut[at] && /* @__PURE__ */ jsx("p", { class: "cut", children: whyCut(stacked.cut[at]) }),
      /* @__PURE__ */ jsx(Parts, { stacked, row: at })
    ] })
  ] });
}

// src/tools/pod_viewer.tsx
var keys3 = [
  ["← → Home End", "on the slider: the step before, after, the mean of all, the last"],
  ["↑ ↓ Enter", "in the bars: another worker; its step in the trace"],
  ...KEYS2
], FIGURES2 = [
  {
    title: "",
    figures: [
      { name: "worker_count", words: "workers: {}" },
      { name: "skew_ms", words: "slowest and fastest {} ({skew_share} of a step) apart" },
      { name: "lost_ms", words: "a worker waits {} a step for the slowest" },
      { name: "straggler", words: "straggler {}, slowest in {straggler_share} of steps" }
    ]
  },
  {
    title: "Hosts",
    figures: [
      { name: "host_count", words: "{}" },
      { name: "common_step_count", words: "steps on all of them: {}" },
      { name: "clock_offset_ms", words: "clocks differ by {} ± {clock_error_ms}" }
    ]
  }
], SENTENCES = [
  ["compared_by", "Workers are compared by"],
  ["aligned", "Steps side by side:"],
  ["clocks", "Clocks:"]
];
function Sentences({ answer: { findings, summary: summary2 } }) {
  let said = findings.map(({ title, detail }) => `${title} ${detail}`.toLowerCase()).join(), isNews = (name) => !!summary2[name] && summary2.host_count !== 1 && !said.includes(String(summary2[name]).toLowerCase()), told = SENTENCES.flatMap(([name, words]) => isNews(name) ? [`${words} ${summary2[name]}`] : []);
  return told.length ? /* @__PURE__ */ jsx("p", { class: "soft", children: told.join(" · ") }) : null;
}
function Workers(part) {
  let { page } = part, found = viewOf(part, "stack", "steps"), mean = viewOf(part, "stack", "workers"), steps = useMemo(() => found && stepsOf(found.data), [found?.data]), { params } = page.selection, last = steps ? steps.rows.length : 0, at = Math.min(last, Math.max(mean ? 0 : 1, Number(params.at ?? 0) || 0)), shown = useMemo(
    () => at && found ? { ...found, data: picked(found.data, steps.rows[at - 1]) } : mean,
    [found?.data, mean?.data, at]
  );
  if (!found || !steps || !shown) return null;
  let set = (name2, value) => page.navigate({ params: { ...params, [name2]: value } }, "replace"), by = params.by === "time" ? "time" : "name", { csv, json, open } = common(page, found.view, found.spec), name = at ? steps.names[at - 1] : "mean of all steps", title = "Workers side by side";
  return /* @__PURE__ */ jsxs(Panel, { title, bare: !0, class: "workers-panel", children: [
    /* @__PURE__ */ jsxs("div", { class: "lines-bar worker-bar", children: [
      /* @__PURE__ */ jsx("b", { title: shown.spec.help, children: title }),
      /* @__PURE__ */ jsx(
        "input",
        {
          type: "range",
          min: mean ? 0 : 1,
          max: last,
          value: at,
          "aria-label": "Step",
          "aria-valuetext": name,
          onInput: (event) => set("at", event.currentTarget.value === "0" ? "" : event.currentTarget.value)
        }
      ),
      /* @__PURE__ */ jsx("output", { children: name }),
      /* @__PURE__ */ jsx("span", { class: "grow" }),
      /* @__PURE__ */ jsxs("label", { hidden: part.answer.summary.worker_count === 1, children: [
        "first",
        " ",
        /* @__PURE__ */ jsxs("select", { value: by, onChange: (event) => set("by", event.currentTarget.value), children: [
          /* @__PURE__ */ jsx("option", { value: "name", children: "by name" }),
          /* @__PURE__ */ jsx("option", { value: "time", children: "the slowest" })
        ] })
      ] }),
      /* @__PURE__ */ jsx(Links, { csv, json })
    ] }),
    /* @__PURE__ */ jsx(WorkerBars, { ...shown, title, by, open, late: String(part.answer.summary.straggler ?? "") })
  ] });
}
function OnlySteps(part) {
  let found = viewOf(part, "stack", "steps");
  return found ? /* @__PURE__ */ jsx(Panel, { title: "Steps", bare: !0, children: /* @__PURE__ */ jsx(
    Stack,
    {
      ...common(part.page, found.view, found.spec),
      ...found,
      title: "Steps",
      view: { ...found.view, label: "step" },
      noun: "step",
      quiet: !0,
      told: !0
    }
  ) }) : null;
}
var SKEW = { kind: "stack", title: "", table: "", label: "step", values: ["work_ms", "skew_ms"], show: [] };
function Skew(part) {
  let found = viewOf(part, "stack", "steps"), data = useMemo(() => found && skews(found.data, stepsOf(found.data)), [found?.data]);
  if (!found || !data) return null;
  let spec = {
    ...found.spec,
    help: "Own work of each step's fastest worker, and what its slowest has more.",
    columns: SKEW.values.map((name) => ({ name, dtype: "float64", unit: "ms", help: "" }))
  }, title = "Skew over steps";
  return /* @__PURE__ */ jsx(Panel, { title, bare: !0, children: /* @__PURE__ */ jsx(
    Stack,
    {
      ...common(part.page, found.view, found.spec),
      title,
      spec,
      data,
      view: SKEW,
      noun: "step",
      height: 120,
      quiet: !0
    }
  ) });
}
function Which({ answer, page }) {
  let [shown, all] = [answer.summary.shown_count, answer.summary.step_count];
  if (typeof shown != "number" || typeof all != "number" || shown >= all) return null;
  let options3 = page.tool.options.filter(({ name }) => ["step", "steps"].includes(name));
  return /* @__PURE__ */ jsxs("div", { class: "step-line", children: [
    /* @__PURE__ */ jsxs("span", { class: "soft", children: [
      counted(shown, "step"),
      " of ",
      all,
      " shown"
    ] }),
    /* @__PURE__ */ jsx(Options, { options: options3, params: page.selection.params, set: (params) => page.navigate({ params }) })
  ] });
}
var TABLE = [
  "worker",
  "steps",
  "mean_ms",
  "max_ms",
  "work_ms",
  "lateness_ms",
  "slowest_count",
  "clock_offset_ms",
  "bottleneck"
];
function Report3(part) {
  let { answer, page } = part, [first, ...more] = answer.findings;
  return /* @__PURE__ */ jsxs(Fragment2, { children: [
    /* @__PURE__ */ jsxs(Panel, { title: "", class: "answer", children: [
      first && /* @__PURE__ */ jsx(Headline, { finding: first, answer, navigate: page.navigate }),
      /* @__PURE__ */ jsx(StepLine, { ...part }),
      /* @__PURE__ */ jsx(
        Figures,
        {
          answer,
          page,
          groups: answer.summary.host_count === 1 ? FIGURES2.slice(0, 1) : FIGURES2
        }
      ),
      /* @__PURE__ */ jsx(Sentences, { ...part })
    ] }),
    /* @__PURE__ */ jsx(Workers, { ...part }),
    /* @__PURE__ */ jsx(Which, { ...part }),
    /* @__PURE__ */ jsxs("div", { class: "columns capped", children: [
      answer.summary.worker_count === 1 ? /* @__PURE__ */ jsx(OnlySteps, { ...part }) : /* @__PURE__ */ jsx(Skew, { ...part }),
      more.length > 0 && /* @__PURE__ */ jsx(Panel, { title: "More findings", class: "shrinks", children: /* @__PURE__ */ jsx(Findings, { findings: more, answer, navigate: page.navigate }) })
    ] }),
    /* @__PURE__ */ jsx(TablePart, { ...part, table: "workers", show: TABLE })
  ] });
}
function PodViewer(page) {
  let asked = useAnswer(page.api, given(page));
  return /* @__PURE__ */ jsx("div", { class: "page fits", children: /* @__PURE__ */ jsx(ShownSteps, { asked, page, children: (answer) => /* @__PURE__ */ jsx(Report3, { answer, page }) }) });
}

// src/tools/trace_viewer.tsx
var trace_viewer_exports = {};
__export(trace_viewer_exports, {
  default: () => TraceViewer,
  keys: () => keys4
});

// src/selection.ts
var SHARED = ["steps_from"];
function withShared(old, next2) {
  let shared = SHARED.flatMap((name) => old[name] === void 0 ? [] : [[name, old[name]]]);
  return Object.fromEntries(Object.entries({ ...Object.fromEntries(shared), ...next2 }).filter(([, value]) => value));
}
function ownParams(params) {
  return Object.fromEntries(Object.entries(params).filter(([name]) => !SHARED.includes(name)));
}
var PLACES = ["start_ps", "end_ps", "range", "event", "clock", "at", "step", "bars"];
function withoutPlaces(params) {
  return Object.fromEntries(Object.entries(params).filter(([name]) => !PLACES.includes(name)));
}
function changed(old, change) {
  let isOther2 = change.run !== void 0 && change.run !== old.run, kept = isOther2 ? withoutPlaces(old.params) : old.params, params = change.tool !== void 0 && change.tool !== old.tool ? {} : kept, hosts = isOther2 ? [] : old.hosts, next2 = { ...old, params, hosts, ...change };
  return { ...next2, params: withShared(old.params, next2.params) };
}

// src/timeline/scale.ts
function length(view) {
  return view.end - view.start;
}
function toX(time, view, width) {
  return (time - view.start) / length(view) * width;
}
function toTime(x, view, width) {
  return view.start + x / width * length(view);
}
function clamped(view, span) {
  let long = Math.min(Math.max(length(view), 20), Math.max(length(span), 20)), start = Math.min(Math.max(view.start, span.start), Math.max(span.end - long, span.start));
  return { start, end: start + long };
}
function zoomed2(view, factor, share, span) {
  let at = view.start + share * length(view), long = Math.min(Math.max(length(view) * factor, 20), Math.max(length(span), 20));
  return clamped({ start: at - share * long, end: at + (1 - share) * long }, span);
}
function panned(view, share, span) {
  let by = share * length(view);
  return clamped({ start: view.start + by, end: view.end + by }, span);
}
function around(start, end, share, span) {
  let long = Math.max(end - start, 1) / share, middle3 = start + (end - start) / 2;
  return clamped({ start: middle3 - long / 2, end: middle3 + long / 2 }, span);
}
function overlaps(view, start, end) {
  return start < view.end && end > view.start;
}

// src/timeline/tracks.ts
function keyOf(host2, row) {
  return `${encodeURIComponent(host2)}:${row}`;
}
function processesOf(table, hosts) {
  let c = table.columns, found = /* @__PURE__ */ new Map();
  return (c.host ?? []).forEach((cell, i) => {
    let host2 = String(cell), key = keyOf(host2, Number(c.plane[i])), process = found.get(key);
    if (!process) {
      let name = String(c.process[i]);
      process = {
        key,
        name: hosts > 1 ? `${host2} ${name}` : name,
        kind: String(c.process_kind[i]),
        tracks: [],
        events: 0
      }, found.set(key, process);
    }
    let row = Number(c.track[i]), events = Number(c.events[i]);
    process.tracks.push({
      key: keyOf(host2, row),
      host: host2,
      row,
      name: String(c.name[i]),
      kind: String(c.kind[i]),
      lanes: Number(c.lanes[i]),
      events
    }), process.events += events;
  }), [...found.values()];
}
function joined(pages) {
  let names = Object.keys(pages[0]?.columns ?? {});
  return {
    columns: Object.fromEntries(names.map((name) => [name, pages.flatMap((page) => page.columns[name] ?? [])]))
  };
}
function layout(processes, closed) {
  let rows2 = [], byTrack = /* @__PURE__ */ new Map(), top = 0;
  for (let process of processes)
    if (rows2.push({ top, height: 24, process, track: null }), top += 24, !closed.has(process.key))
      for (let track of process.tracks) {
        if (!track.events) continue;
        let row = { top, height: track.lanes * 18 + 6, process, track };
        rows2.push(row), byTrack.set(track.key, row), top += row.height;
      }
  return { rows: rows2, height: top, byTrack };
}
function rowsBetween({ rows: rows2 }, top, bottom) {
  let low = 0, high = rows2.length;
  for (; low < high; ) {
    let middle3 = low + high >> 1, row = rows2[middle3];
    row.top + row.height <= top ? low = middle3 + 1 : high = middle3;
  }
  let found = [];
  for (let i = low; i < rows2.length && rows2[i].top < bottom; i++) found.push(rows2[i]);
  return found;
}

// src/timeline/scene.ts
var RULER = 24, REACH = 2;
function isOther({ needle, found }, name) {
  return needle !== "" && !name.toLowerCase().includes(needle) && !found.has(name);
}
function sliceAt(slices, index, track, depth) {
  return {
    track,
    depth,
    start: slices.window.start + slices.start[index],
    duration: slices.duration[index],
    idle: slices.idle[index],
    name: slices.names[slices.name[index]] ?? "",
    count: slices.count[index],
    row: slices.row[index]
  };
}
function firstAfter(slices, depth, time) {
  let low = slices.lanes[depth] ?? slices.start.length, end = slices.lanes[depth + 1] ?? low, high = end;
  for (; low < high; ) {
    let middle3 = low + high >> 1;
    slices.start[middle3] + slices.duration[middle3] < time ? low = middle3 + 1 : high = middle3;
  }
  return [low, end];
}
function nearest(slices, track, depth, time, reach) {
  let at = time - slices.window.start, best = null, away = reach, [first, end] = firstAfter(slices, depth, at - reach);
  for (let i = first; i < end && slices.start[i] <= at + reach; i++) {
    let distance = Math.max(slices.start[i] - at, at - slices.start[i] - slices.duration[i], 0);
    distance > away || best && distance === away || (away = distance, best = sliceAt(slices, i, track, depth));
  }
  return best;
}
function laneAt(scene, y) {
  if (y < RULER) return null;
  let at = y - RULER + scene.scroll, row = rowsBetween(scene.layout, at, at + 1)[0];
  if (!row?.track) return null;
  let depth = Math.floor((at - row.top - 6 / 2) / 18);
  return depth >= 0 && depth < row.track.lanes ? { track: row.track, depth } : null;
}
function hit(scene, x, y) {
  let lane = laneAt(scene, y);
  if (!lane || !scene.width) return null;
  let time = toTime(x, scene.view, scene.width), reach = toTime(x + REACH, scene.view, scene.width) - time;
  for (let slices of scene.store.layers(lane.track.key, scene.view).reverse())
    if (!(time < slices.window.start || time > slices.window.end))
      return nearest(slices, lane.track, lane.depth, time, reach);
  return null;
}
function neighbour(scene, of, step2) {
  for (let slices of scene.store.layers(of.track.key, scene.view).reverse()) {
    let begin = slices.lanes[of.depth] ?? 0, end = slices.lanes[of.depth + 1] ?? begin;
    for (let k = 0; k < end - begin; k++) {
      let i = step2 > 0 ? begin + k : end - 1 - k, start = slices.window.start + slices.start[i];
      if (step2 > 0 ? start > of.start || start === of.start && slices.row[i] > of.row : start < of.start)
        return sliceAt(slices, i, of.track, of.depth);
    }
  }
  return null;
}

// src/timeline/store.ts
var KEPT = 1e3, MARGIN = 0.5, WIDTH_MAX = 8192;
function resolutionOf(view, width) {
  return 2 ** Math.floor(Math.log2(Math.max(1, Math.floor(length(view) / Math.max(1, Math.floor(width))))));
}
function numbers3(answer, name) {
  return answer.tables.slices?.columns[name] ?? [];
}
function slicesOf(answer, asked) {
  let tracks = answer.tables.window_tracks?.columns ?? {}, names = answer.tables.names?.columns.name ?? [], { window_start_ps, window_end_ps, resolution_ps } = answer.summary, of = numbers3(answer, "track"), depth = numbers3(answer, "depth"), found = [], at = 0;
  return (tracks.host ?? []).forEach((host2, i) => {
    let begin = at;
    for (; of[at] === i; ) at++;
    let lanes = [0];
    for (let row = begin; row < at; row++) for (; lanes.length <= depth[row]; ) lanes.push(row - begin);
    lanes.push(at - begin);
    let cut = (name) => numbers3(answer, name).slice(begin, at);
    found.push([
      keyOf(String(host2), Number(tracks.track[i])),
      {
        window: { start: window_start_ps, end: window_end_ps },
        resolution: resolution_ps,
        asked,
        exact: tracks.merged[i] === 0,
        lanes,
        start: Float64Array.from(cut("start_ps")),
        duration: Float64Array.from(cut("duration_ps")),
        idle: Float64Array.from(cut("idle_ps")),
        name: Int32Array.from(cut("name")),
        count: Float64Array.from(cut("count")),
        row: Float64Array.from(cut("row")),
        names
      }
    ]);
  }), found;
}
function ranges(tracks) {
  let sorted = [...tracks].sort((a, b) => a.host === b.host ? a.row - b.row : a.host < b.host ? -1 : 1), parts = [];
  for (let { host: host2, row } of sorted) {
    let before = parts[parts.length - 1];
    before?.host === host2 && before.last === row - 1 ? before.last = row : (before?.host !== host2 || before.last !== row) && parts.push({ host: host2, first: row, last: row });
  }
  return parts.map((p) => `${keyOf(p.host, p.first)}${p.last > p.first ? `-${p.last}` : ""}`).join(",");
}
var Store = class {
  constructor(span) {
    this.span = span;
  }
  span;
  /** The whole capture, coarse: what is drawn where nothing finer is there yet. */
  whole = /* @__PURE__ */ new Map();
  finer = /* @__PURE__ */ new Map();
  put(answer, asked) {
    for (let [key, slices] of slicesOf(answer, asked)) {
      let into = slices.window.start <= this.span.start && slices.window.end >= this.span.end ? this.whole : this.finer;
      into.delete(key), into.set(key, slices);
      for (let old of into.keys()) {
        if (into.size <= KEPT) break;
        into.delete(old);
      }
    }
  }
  /** What there is to draw of a track in a view, the best last. */
  layers(key, view) {
    let whole2 = this.whole.get(key), finer = this.finer.get(key);
    if (!finer || whole2 && whole2.asked <= finer.asked) return whole2 ? [whole2] : [];
    let covers = finer.window.start <= view.start && finer.window.end >= view.end;
    return !whole2 || covers ? [finer] : [whole2, finer];
  }
  /** Whether a view of a track can be drawn as finely as the screen is. */
  has(key, view, resolution) {
    return [this.whole.get(key), this.finer.get(key)].some(
      (s) => s && s.window.start <= Math.max(view.start, this.span.start) && s.window.end >= Math.min(view.end, this.span.end) && (s.exact || s.asked <= resolution)
    );
  }
  /** One request for all that the view lacks of these tracks; null when nothing is missing. */
  missing(tracks, view, width) {
    let wanted3 = resolutionOf(view, width), lacking = tracks.filter((track) => track.events && !this.has(track.key, view, wanted3));
    if (!lacking.length || width < 1) return null;
    let margin = MARGIN * length(view), start = Math.floor(Math.max(view.start - margin, this.span.start)), end = Math.max(start + 1, Math.ceil(Math.min(view.end + margin, this.span.end))), pixels = Math.min(WIDTH_MAX, Math.ceil(width * (end - start) / length(view)));
    return { options: { start_ps: String(start), end_ps: String(end), width: String(pixels), tracks: ranges(lacking) }, asked: Math.min(wanted3, resolutionOf({ start, end }, pixels)) };
  }
};

// src/timeline/board.ts
var DEBOUNCE_MS = 70, OPEN_MAX = 300, JUMP_SHARE = 0.2, JUMP_LEAST_PS = 2e5, made = 0, Board = class {
  constructor(api, first, width) {
    this.api = api;
    let summary2 = first.summary;
    this.span = { start: Number(summary2.span_start_ps ?? 0), end: Number(summary2.span_end_ps ?? 1) }, this.origin = this.span.start, this.originNs = summary2.origin_ns === null ? null : String(summary2.origin_ns), this.hostCount = first.hosts.length;
    let { host: host2 = [], offset_ps = [] } = first.tables.hosts?.columns ?? {};
    this.offsets = new Map(host2.map((name, i) => [String(name), Number(offset_ps[i])])), this.view = this.span, this.store = new Store(this.span), this.store.put(first, resolutionOf(this.span, width)), this.pages = first.tables.tracks ? [first.tables.tracks] : [], this.processes = processesOf(joined(this.pages), this.hostCount), this.close(), this.layout = layout(this.processes, this.closed), this.listTracks(Number(summary2.track_count ?? 0));
  }
  api;
  id = made++;
  width = 0;
  height = 0;
  view;
  scroll = 0;
  hover = null;
  selected = null;
  range = null;
  needle = "";
  found = /* @__PURE__ */ new Set();
  /** Key of a track → how many hits the search has on it. */
  hits = /* @__PURE__ */ new Map();
  layout;
  processes;
  loading = !1;
  error = null;
  span;
  origin;
  store;
  closed = /* @__PURE__ */ new Set();
  hostCount;
  /** What is added to times that count from a host's own start. */
  offsets;
  originNs;
  pages;
  listeners = /* @__PURE__ */ new Set();
  life = new AbortController();
  flight = null;
  timer = 0;
  frame = 0;
  /** Calls back, at most once a frame, after anything changed. */
  subscribe(listener) {
    return this.listeners.add(listener), () => this.listeners.delete(listener);
  }
  dispose() {
    this.life.abort(), this.flight?.abort.abort(), clearTimeout(this.timer), cancelAnimationFrame(this.frame), this.listeners.clear();
  }
  /** Asks with the clock that all times of this timeline are of. */
  ask(options3, signal = this.life.signal) {
    return this.api.data(
      this.originNs === null || this.hostCount < 2 ? options3 : { ...options3, origin_ns: this.originNs },
      signal
    );
  }
  changed() {
    this.frame || (this.frame = requestAnimationFrame(() => {
      this.frame = 0;
      for (let listener of this.listeners) listener();
    }));
  }
  resize(width, height) {
    if (width === this.width && height === this.height) return;
    let seen = this.selected && this.onScreen(this.selected.track, this.selected.depth);
    this.width = width, this.height = height, this.scrollTo(this.scroll), seen && this.selected && this.reveal(this.selected.track, this.selected.depth);
  }
  look(view) {
    this.view = clamped(view, this.span), this.want();
  }
  zoom(factor, share = 0.5) {
    this.look(zoomed2(this.view, factor, share, this.span));
  }
  pan(share) {
    this.look(panned(this.view, share, this.span));
  }
  scrollTo(top) {
    this.scroll = Math.max(0, Math.min(top, this.layout.height - (this.height - RULER))), this.want();
  }
  search(text2, hits, found) {
    this.needle = text2.toLowerCase(), this.hits = hits, this.found = found, this.changed();
  }
  toggle(process) {
    this.closed.delete(process.key) || this.closed.add(process.key), this.lay();
  }
  /** Brings a track's lane onto the screen, opening its process. */
  reveal(track, depth) {
    let process = this.processes.find((p) => p.tracks.some((t) => t.key === track.key));
    process && this.closed.delete(process.key) && this.lay();
    let row = this.layout.byTrack.get(track.key);
    row && !this.onScreen(track, depth) && this.scrollTo(row.top + depth * 18 - (this.height - RULER) / 3);
  }
  onScreen(track, depth) {
    let row = this.layout.byTrack.get(track.key), top = row ? row.top + depth * 18 : -1;
    return top >= this.scroll && top + 18 + 6 <= this.scroll + this.height - RULER;
  }
  /** Brings a slice onto the screen, large enough to be seen. */
  jump(slice) {
    let end = slice.start + Math.max(slice.duration, JUMP_LEAST_PS), share = (end - slice.start) / (this.view.end - this.view.start);
    (!overlaps(this.view, slice.start, slice.start + Math.max(slice.duration, 1)) || share < 5e-3 || share > 1) && this.look(around(slice.start, end, JUMP_SHARE, this.span)), this.reveal(slice.track, slice.depth);
  }
  /** Zoom to the range, or to the selected slice. */
  fit() {
    this.range ? this.look(this.range) : this.selected && this.look(around(this.selected.start, this.selected.start + this.selected.duration, 0.8, this.span));
  }
  track(key) {
    for (let process of this.processes) {
      let found = process.tracks.find((t) => t.key === key);
      if (found) return found;
    }
    return null;
  }
  /** Ask, after a moment of rest, for what the screen lacks. */
  want() {
    this.changed(), clearTimeout(this.timer), this.timer = window.setTimeout(() => this.request(), DEBOUNCE_MS);
  }
  tracksWanted() {
    let room = this.height - RULER;
    return rowsBetween(this.layout, this.scroll - room / 2, this.scroll + 1.5 * room).flatMap(
      (row) => row.track ? [row.track] : []
    );
  }
  request() {
    let request = this.width > 0 && this.height > 0 ? this.store.missing(this.tracksWanted(), this.view, this.width) : null, key = request ? JSON.stringify(request.options) : "";
    key !== (this.flight?.key ?? "") && (this.flight?.abort.abort(), this.flight = request && { key, abort: new AbortController() }, this.loading = request !== null, this.changed(), request && this.receive(request, this.flight.abort.signal));
  }
  async receive(request, signal) {
    try {
      let answer = await this.ask(request.options, signal);
      if (signal.aborted) return;
      this.store.put(answer, request.asked), this.error = null, this.flight = null, this.loading = !1, answer.tables.window_tracks?.columns.track?.length && this.want();
    } catch (reason) {
      if (signal.aborted) return;
      this.error = asApiError(reason), this.loading = !1, this.changed();
    }
  }
  /** The rest of the tracks, where one answer did not hold them all. */
  async listTracks(count2) {
    let listed = this.pages[0]?.columns.track?.length ?? 0;
    for (; listed > 0 && listed < count2 && !this.life.signal.aborted; ) {
      let page = (await this.ask({ tracks_from: String(listed) }).catch(() => null))?.tables.tracks, more = page?.columns.track?.length ?? 0;
      if (!page || !more) return;
      this.pages.push(page), listed += more, this.processes = processesOf(joined(this.pages), this.hostCount), this.lay();
    }
  }
  close() {
    let open = 0;
    for (let process of this.processes)
      open += process.tracks.length, open > OPEN_MAX && process !== this.processes[0] && this.closed.add(process.key);
  }
  lay() {
    this.layout = layout(this.processes, this.closed), this.scrollTo(this.scroll);
  }
};

// src/timeline/ruler.ts
var UNITS = [
  [1e12, "s"],
  [1e9, "ms"],
  [1e6, "µs"],
  [1e3, "ns"],
  [1, "ps"]
], DIGITS_MAX = 7;
function niceStep(least) {
  let power = 10 ** Math.floor(Math.log10(Math.max(least, 1)));
  return ([1, 2, 5, 10].find((n) => n * power >= least * (1 - 1e-9)) ?? 10) * power;
}
function unitOf(time) {
  return UNITS.find(([factor]) => time >= factor) ?? UNITS[UNITS.length - 1];
}
function exactTime(time) {
  let whole2 = Math.round(time), [factor, symbol] = UNITS.find(([f]) => Math.abs(whole2) >= f) ?? UNITS[UNITS.length - 1], digits = Math.round(Math.log10(factor)), text2 = Math.abs(whole2).toString().padStart(digits + 1, "0"), fraction = digits ? text2.slice(-digits).replace(/0+$/, "") : "";
  return `${whole2 < 0 ? "-" : ""}${digits ? text2.slice(0, -digits) : text2}${fraction && `.${fraction}`} ${symbol}`;
}
function baseOf(view, step2, origin) {
  let [start, end] = [view.start - origin, view.end - origin];
  if (Math.log10(Math.max(Math.abs(start), Math.abs(end), step2) / step2) < DIGITS_MAX) return 0;
  let round = 10 ** Math.ceil(Math.log10(length(view)));
  return Math.floor(start / round) * round;
}
function ruler(view, width, gap, origin) {
  let step2 = niceStep(length(view) * gap / Math.max(width, 1)), base = baseOf(view, step2, origin), [factor, symbol] = unitOf(Math.max(view.end - origin - base, step2)), decimals = Math.max(0, Math.ceil(Math.log10(factor / step2) - 1e-9)), first = Math.ceil((view.start - origin) / step2), last = Math.floor((view.end - origin) / step2), ticks = [];
  for (let i = first; i <= last; i++)
    ticks.push({
      time: origin + i * step2,
      label: `${base ? "+" : ""}${((i * step2 - base) / factor).toFixed(decimals)} ${symbol}`
    });
  return { base: base ? exactTime(base) : "", step: step2, ticks };
}

// src/timeline/draw.ts
var FONT2 = "11px system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', sans-serif", TICK_GAP = 110, TEXT_MIN = 20, widths = /* @__PURE__ */ new Map();
function widthOf(ctx, text2) {
  let width = widths.get(text2);
  return width === void 0 && (widths.size > 2e4 && widths.clear(), width = ctx.measureText(text2).width, widths.set(text2, width)), width;
}
function fitting2(ctx, text2, room) {
  let width = widthOf(ctx, text2);
  if (width <= room) return text2;
  let letters = [...text2], count2 = Math.floor(letters.length * (room - 8) / width);
  for (; count2 > 1 && widthOf(ctx, `${letters.slice(0, count2).join("")}…`) > room; ) count2--;
  return count2 < 2 ? "" : `${letters.slice(0, count2).join("")}…`;
}
function drawText(ctx, text2, x, y, width) {
  let left = Math.max(x, 0) + 3, shown = fitting2(ctx, text2, x + width - left - 3);
  shown && ctx.fillText(shown, left, y + 18 / 2);
}
function opacity(count2, duration, idle) {
  return count2 === 1 || duration === 0 ? 1 : 0.3 + 0.7 * (1 - idle / duration);
}
function drawLane(ctx, scene, inks2, slices, depth, y) {
  let scale = scene.width / length(scene.view), offset = slices.window.start - scene.view.start, [first, end] = firstAfter(slices, depth, -offset), edge = -1 / 0;
  for (let i = first; i < end; i++) {
    let from = (slices.start[i] + offset) * scale;
    if (from > scene.width) break;
    let left = Math.max(Math.floor(from), -2), right = Math.max(Math.min(Math.ceil(from + slices.duration[i] * scale), scene.width + 2), left + 1), x = Math.max(left, right - left > 3 ? edge + 1 : edge), width = right - x;
    if (width < 1) continue;
    edge = right;
    let name = slices.names[slices.name[i]] ?? "", paint = inks2.palette.of(name), dim = isOther(scene, name) ? 0.25 : 1;
    ctx.globalAlpha = dim * opacity(slices.count[i], slices.duration[i], slices.idle[i]), ctx.fillStyle = paint.fill, ctx.fillRect(x, y, width, 17), !(width < TEXT_MIN) && (ctx.globalAlpha = dim, ctx.fillStyle = paint.text, drawText(ctx, slices.count[i] === 1 ? name : `${slices.count[i]} × ${name}`, x, y, width));
  }
  ctx.globalAlpha = 1;
}
function within(ctx, left, right, height, draw2) {
  right <= left || (ctx.save(), ctx.beginPath(), ctx.rect(left, 0, right - left, height), ctx.clip(), draw2(), ctx.restore());
}
function drawTrack(ctx, scene, inks2, row, top) {
  if (!row.track) return;
  let layers = scene.store.layers(row.track.key, scene.view), lanes = (slices) => () => {
    for (let depth = 0; depth < slices.lanes.length - 1; depth++) {
      let y = top + 6 / 2 + depth * 18;
      y + 18 > RULER && y < scene.height && drawLane(ctx, scene, inks2, slices, depth, y);
    }
  }, [below, above] = layers;
  if (below && above) {
    let left = toX(above.window.start, scene.view, scene.width), right = toX(above.window.end, scene.view, scene.width);
    within(ctx, 0, Math.min(left, scene.width), scene.height, lanes(below)), within(ctx, Math.max(right, 0), scene.width, scene.height, lanes(below)), within(ctx, Math.max(left, 0), Math.min(right, scene.width), scene.height, lanes(above));
  } else below && lanes(below)();
}
function drawRows(ctx, scene, inks2) {
  for (let row of rowsBetween(scene.layout, scene.scroll, scene.scroll + scene.height - RULER)) {
    let top = RULER + row.top - scene.scroll;
    row.track ? drawTrack(ctx, scene, inks2, row, top) : (ctx.fillStyle = inks2.sunken, ctx.fillRect(0, top, scene.width, row.height)), ctx.fillStyle = inks2.line, ctx.fillRect(0, top + row.height - 1, scene.width, 1);
  }
}
function placeOf2(scene, slice) {
  let row = scene.layout.byTrack.get(slice.track.key);
  if (!row) return null;
  let x = toX(slice.start, scene.view, scene.width), end = toX(slice.start + slice.duration, scene.view, scene.width), left = Math.max(x, -4);
  return {
    x: left,
    y: RULER + row.top - scene.scroll + 6 / 2 + slice.depth * 18,
    width: Math.max(Math.min(end, scene.width + 4) - left, 1)
  };
}
function outline(ctx, scene, slice, colour2, thickness) {
  let place = slice && placeOf2(scene, slice);
  if (!place || place.x > scene.width + 4 || place.x + place.width < -4) return;
  ctx.strokeStyle = colour2, ctx.lineWidth = thickness;
  let width = Math.max(place.width, 4);
  ctx.strokeRect(place.x - (width - place.width) / 2 - 0.5, place.y - 0.5, width, 18);
}
function drawGrid(ctx, scene, inks2) {
  ctx.fillStyle = inks2.line, ctx.globalAlpha = 0.5;
  for (let tick of ruler(scene.view, scene.width, TICK_GAP, scene.origin).ticks)
    ctx.fillRect(Math.round(toX(tick.time, scene.view, scene.width)), RULER, 1, scene.height);
  ctx.globalAlpha = 1;
}
function chipOf(ctx, scene, range) {
  let text2 = formatNumber(range.end - range.start, "ps"), width = widthOf(ctx, text2) + 12, middle3 = (toX(range.start, scene.view, scene.width) + toX(range.end, scene.view, scene.width)) / 2;
  return { left: Math.min(Math.max(middle3, width / 2), scene.width - width / 2) - width / 2, width, text: text2 };
}
function drawRuler(ctx, scene, inks2) {
  let { ticks, base } = ruler(scene.view, scene.width, TICK_GAP, scene.origin);
  ctx.fillStyle = inks2.panel, ctx.fillRect(0, 0, scene.width, RULER), ctx.fillStyle = inks2.line, ctx.fillRect(0, RULER - 1, scene.width, 1);
  let chip = scene.range && chipOf(ctx, scene, scene.range), clear = base ? widthOf(ctx, base) + 16 : 0;
  for (let { time, label: label2 } of ticks) {
    let x = Math.round(toX(time, scene.view, scene.width));
    ctx.fillStyle = inks2.line, ctx.fillRect(x, RULER - 7, 1, 6), ctx.fillStyle = inks2.soft;
    let end = x + 4 + widthOf(ctx, label2), isCovered = chip !== null && x < chip.left + chip.width && end > chip.left;
    x >= clear && end <= scene.width && !isCovered && ctx.fillText(label2, x + 4, RULER / 2);
  }
  ctx.fillStyle = inks2.text, base && ctx.fillText(base, 4, RULER / 2);
}
function drawRange(ctx, scene, inks2, range) {
  let left = toX(range.start, scene.view, scene.width), right = toX(range.end, scene.view, scene.width);
  ctx.fillStyle = inks2.accent, ctx.globalAlpha = 0.14, ctx.fillRect(left, 0, right - left, scene.height), ctx.globalAlpha = 1;
  for (let x of [left, right]) ctx.fillRect(Math.round(x), 0, 1, scene.height);
  let chip = chipOf(ctx, scene, range);
  ctx.fillRect(chip.left, 3, chip.width, RULER - 7), ctx.fillStyle = inks2.panel, ctx.fillText(chip.text, chip.left + 6, RULER / 2);
}
function draw(ctx, scene, inks2) {
  !scene.width || !scene.height || (ctx.font = FONT2, ctx.textBaseline = "middle", ctx.direction = "ltr", ctx.fillStyle = inks2.panel, ctx.fillRect(0, 0, scene.width, scene.height), drawGrid(ctx, scene, inks2), drawRows(ctx, scene, inks2), outline(ctx, scene, scene.hover, inks2.text, 1), outline(ctx, scene, scene.selected, inks2.accent, 2), drawRuler(ctx, scene, inks2), scene.range && drawRange(ctx, scene, inks2, scene.range));
}

// src/timeline/input.ts
var CLICK_PX = 4, ZOOM_STEP = 1.4, PAN_STEP = 0.15, SCROLL_STEP = 60;
function wheelPixels(event, delta) {
  return event.deltaMode === WheelEvent.DOM_DELTA_LINE ? delta * 20 : event.deltaMode === WheelEvent.DOM_DELTA_PAGE ? delta * 300 : delta;
}
function onWheel(board, event) {
  event.preventDefault();
  let x = wheelPixels(event, event.deltaX), y = wheelPixels(event, event.deltaY), scrolls = board.layout.height > board.height - RULER;
  event.ctrlKey || event.metaKey || event.offsetY < RULER || !scrolls && Math.abs(y) > Math.abs(x) && !event.shiftKey ? board.zoom(1.0025 ** (event.ctrlKey && Math.abs(y) < 20 ? 4 * y : y), event.offsetX / Math.max(1, board.width)) : event.shiftKey || Math.abs(x) > Math.abs(y) ? board.pan((x || y) / Math.max(1, board.width)) : board.scrollTo(board.scroll + y);
}
function followPointer(canvas, board, actions) {
  let drag = null, listeners2 = {
    pointerdown: (event) => {
      if (event.button !== 0) return;
      let at = { x: event.offsetX, y: event.offsetY, moved: !1, pointer: event.pointerId };
      drag = event.shiftKey || event.offsetY < RULER ? { ...at, kind: "range", from: toTime(at.x, board.view, board.width) } : { ...at, kind: "pan", ...board.view, scroll: board.scroll }, canvas.setPointerCapture(event.pointerId);
    },
    pointermove: (event) => {
      let { offsetX: x, offsetY: y } = event;
      drag && (drag.moved || Math.hypot(x - drag.x, y - drag.y) > CLICK_PX) ? (drag.moved = !0, board.hover = null, dragged(board, drag, x, y)) : drag || (board.hover = hit(board, x, y), canvas.style.cursor = y < RULER ? "col-resize" : board.hover ? "pointer" : "default", board.changed());
    },
    pointerup: (event) => {
      drag && !drag.moved && (drag.kind === "range" && (board.range = null), actions.choose(hit(board, event.offsetX, event.offsetY))), drag = null, board.changed();
    },
    pointercancel: () => drag = null,
    pointerleave: () => {
      board.hover = null, board.changed();
    },
    dblclick: (event) => {
      let slice = hit(board, event.offsetX, event.offsetY);
      slice && (board.range = null, board.selected = slice, board.fit());
    }
  };
  for (let [name, listener] of Object.entries(listeners2)) canvas.addEventListener(name, listener);
  return () => {
    for (let [name, listener] of Object.entries(listeners2))
      canvas.removeEventListener(name, listener);
  };
}
function dragged(board, drag, x, y) {
  if (drag.kind === "range") {
    let to = toTime(Math.min(Math.max(x, 0), board.width), board.view, board.width);
    board.range = { start: Math.min(drag.from, to), end: Math.max(drag.from, to) }, board.changed();
    return;
  }
  let by = (drag.x - x) / Math.max(1, board.width) * (drag.end - drag.start);
  board.look({ start: drag.start + by, end: drag.end + by }), board.scrollTo(drag.scroll + drag.y - y);
}
function middle2(board) {
  for (let y = RULER + 12; y < board.height; y += 9)
    for (let share of [0.5, 0.25, 0.75, 0.1, 0.9]) {
      let slice = hit(board, share * board.width, y);
      if (slice) return slice;
    }
  return null;
}
function step(board, actions, by) {
  let next2 = board.selected ? neighbour(board, board.selected, by) : middle2(board);
  next2 && (actions.choose(next2), board.jump(next2));
}
var KEYS3 = [
  ["W S", "zoom in, out (also + −, Ctrl wheel)"],
  ["A D ← →", "move left, right (also Shift wheel, drag)"],
  ["↑ ↓", "scroll the tracks (also wheel, drag)"],
  [", .", "select the slice before, after on its lane"],
  ["Enter", "in the search: next hit; Shift Enter: the one before"],
  ["F", "zoom to the range or the selected slice"],
  ["0 Home", "show the whole capture"],
  ["Shift drag", "measure a range (also drag on the ruler)"],
  ["Esc", "drop the range, then the selection"],
  ["double click", "zoom to a slice"]
];
function escape(board, actions) {
  board.range ? board.range = null : actions.choose(null), board.changed();
}
function onKey(board, event, actions) {
  let act = {
    w: () => board.zoom(1 / ZOOM_STEP),
    "+": () => board.zoom(1 / ZOOM_STEP),
    "=": () => board.zoom(1 / ZOOM_STEP),
    s: () => board.zoom(ZOOM_STEP),
    "-": () => board.zoom(ZOOM_STEP),
    a: () => board.pan(-PAN_STEP),
    arrowleft: () => board.pan(-PAN_STEP),
    d: () => board.pan(PAN_STEP),
    arrowright: () => board.pan(PAN_STEP),
    arrowup: () => board.scrollTo(board.scroll - SCROLL_STEP),
    arrowdown: () => board.scrollTo(board.scroll + SCROLL_STEP),
    pageup: () => board.scrollTo(board.scroll - board.height),
    pagedown: () => board.scrollTo(board.scroll + board.height),
    ",": () => step(board, actions, -1),
    ".": () => step(board, actions, 1),
    f: () => board.fit(),
    0: () => board.look(board.span),
    home: () => board.look(board.span),
    "/": () => actions.search(),
    escape: () => escape(board, actions)
  }[event.key.toLowerCase()];
  return act?.(), act !== void 0;
}

// src/timeline/palette.ts
var CATEGORIES2 = [
  [/memcpy|memset|copy-(start|done)|transferto|bufferfromhost/i, "--copy"],
  [/nccl|rccl|all-?reduce|all-?gather|reduce-?scatter|all-?to-?all|collective/i, "--collective"],
  [/^iterator|iteratorgetnext|infeed|^tfdata/i, "--input"],
  [/compil/i, "--compile"],
  [/launchkernel|kernellaunch|graphlaunch/i, "--launch"],
  [/^\$/, "--python"]
];
function categoryOfName(name) {
  return CATEGORIES2.find(([word]) => word.test(name))?.[1] ?? null;
}
var HUES = 24;
function hueOf(name) {
  let hash = 2166136261;
  for (let letter of name.slice(0, 200).replace(/\d+/g, ""))
    hash = Math.imul(hash ^ letter.codePointAt(0), 16777619);
  return (hash >>> 0) % HUES * (360 / HUES);
}
function channel(linear) {
  let value = linear <= 31308e-7 ? 12.92 * linear : 1.055 * linear ** 0.4166666666666667 - 0.055;
  return Math.round(255 * Math.min(1, Math.max(0, value))).toString(16).padStart(2, "0");
}
function oklch(lightness, chroma, hue) {
  let a = chroma * Math.cos(hue * Math.PI / 180), b = chroma * Math.sin(hue * Math.PI / 180), l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3, m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3, s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3, red = 4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s, green = -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s, blue = -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s;
  return `#${channel(red)}${channel(green)}${channel(blue)}`;
}
var CHROMA = 0.09, Palette = class {
  constructor(dark, variable) {
    this.variable = variable;
    this.lightness = dark ? 0.72 : 0.8;
  }
  variable;
  paints = /* @__PURE__ */ new Map();
  lightness;
  of(name) {
    let paint = this.paints.get(name);
    return paint || (this.paints.size > 5e4 && this.paints.clear(), paint = this.mixed(name), this.paints.set(name, paint)), paint;
  }
  mixed(name) {
    let category = categoryOfName(name);
    return category ? { fill: this.variable(category), text: this.variable(`${category}-text`) } : { fill: oklch(this.lightness, CHROMA, hueOf(name)), text: "#000000" };
  }
};

// src/timeline/canvas.tsx
function inks() {
  let dark = document.documentElement.dataset.theme === "dark", [panel, sunken, line, text2, soft, accent] = [
    "--panel",
    "--sunken",
    "--line",
    "--text",
    "--soft",
    "--accent"
  ].map(colour);
  return { palette: new Palette(dark, colour), panel, sunken, line, text: text2, soft, accent };
}
function follow(canvas, board) {
  let ink = inks(), paint = () => {
    let ratio = window.devicePixelRatio || 1, [width, height] = [Math.round(board.width * ratio), Math.round(board.height * ratio)];
    (canvas.width !== width || canvas.height !== height) && ([canvas.width, canvas.height] = [width, height]);
    let ctx = canvas.getContext("2d", { alpha: !1 });
    ctx && (ctx.setTransform(ratio, 0, 0, ratio, 0, 0), draw(ctx, board, ink));
  }, size = new ResizeObserver(() => board.resize(canvas.clientWidth, canvas.clientHeight));
  size.observe(canvas), board.resize(canvas.clientWidth, canvas.clientHeight);
  let ends = [
    board.subscribe(paint),
    onTheme(() => {
      ink = inks(), board.changed();
    }),
    () => size.disconnect()
  ];
  return () => ends.forEach((end) => end());
}
function summary(board) {
  let { start, end } = board.view, tracks = board.processes.reduce((sum, p) => sum + p.tracks.length, 0), chosen = board.selected ? ` Selected: ${board.selected.name}, ${formatNumber(board.selected.duration, "ps")}.` : "";
  return `Timeline of ${counted(tracks, "track")}: ${formatNumber(end - start, "ps")} from ${formatNumber(start - board.origin, "ps")} on.${chosen} Press ? for the keys.`;
}
function Canvas({ board, actions }) {
  let canvas = useRef(null);
  return useEffect(() => follow(canvas.current, board), [board]), useEffect(() => followPointer(canvas.current, board, actions), [board, actions]), useEffect(() => {
    let element = canvas.current, wheel = (event) => onWheel(board, event);
    return element.addEventListener("wheel", wheel, { passive: !1 }), () => element.removeEventListener("wheel", wheel);
  }, [board]), /* @__PURE__ */ jsx("canvas", { ref: canvas, class: "trace-canvas", role: "img", tabIndex: 0, "aria-label": summary(board) });
}
function useBoard(board) {
  let [, again] = useState(0);
  useEffect(() => board.subscribe(() => again((n) => n + 1)), [board]);
}

// src/timeline/details.tsx
var SHOWN = 2e3;
function factsOf(answer) {
  let { group = [], key = [], value = [] } = answer.tables.event?.columns ?? {};
  return key.map((name, i) => ({ group: String(group[i]), key: String(name), value: String(value[i]) }));
}
function sliceOf(board, facts) {
  let of = (key) => facts.find((f) => f.group === "event" && f.key === key)?.value ?? "", track = board.track(keyOf(of("host"), Number(of("track"))));
  return track && {
    track,
    depth: Number(of("depth")),
    start: Number(of("start_ps")),
    duration: Number(of("duration_ps")),
    idle: 0,
    name: of("name"),
    count: 1,
    row: Number(of("row"))
  };
}
function useFacts(board, slice) {
  let [found, setFound] = useState({
    key: "",
    facts: null,
    error: null
  }), key = keyOf(slice.track.host, slice.row);
  return useEffect(() => {
    let abort = new AbortController();
    if (!(slice.count > 1))
      return board.ask({ event: key }, abort.signal).then(
        (answer) => setFound({ key, facts: factsOf(answer), error: null }),
        (reason) => !abort.signal.aborted && setFound({ key, facts: null, error: asApiError(reason) })
      ), () => abort.abort();
  }, [board, key, slice.count]), found.key === key ? [found.facts, found.error] : [null, null];
}
function Value({ text: text2 }) {
  let [whole2, setWhole] = useState(!1);
  return whole2 || text2.length <= SHOWN ? /* @__PURE__ */ jsx(Fragment2, { children: text2 }) : /* @__PURE__ */ jsxs(Fragment2, { children: [
    text2.slice(0, SHOWN),
    "…",
    " ",
    /* @__PURE__ */ jsxs("button", { type: "button", class: "link", onClick: () => setWhole(!0), children: [
      "all ",
      text2.length.toLocaleString("en-US"),
      " characters"
    ] })
  ] });
}
var TIMES = ["start_ps", "duration_ps", "self_ps"], LINKS = ["parent", "launch", "kernel"], HIDDEN = ["name", "host", "process", "track", "track_name", "row", "depth"];
function FactValue({ board, host: host2, fact, open }) {
  if (fact.group === "event" && TIMES.includes(fact.key)) {
    let value = fact.key === "start_ps" ? Number(fact.value) - board.origin : Number(fact.value);
    return /* @__PURE__ */ jsx("span", { title: exactValue(value, "ps"), children: fact.key === "start_ps" ? exactTime(value) : formatNumber(value, "ps") });
  }
  if (fact.group === "event" && LINKS.includes(fact.key)) {
    let at = fact.value.indexOf(" ");
    return /* @__PURE__ */ jsx("button", { type: "button", class: "link", onClick: () => open(keyOf(host2, Number(fact.value.slice(0, at)))), children: /* @__PURE__ */ jsx(Name, { text: fact.value.slice(at + 1) || "(no name)" }) });
  }
  return /* @__PURE__ */ jsx(Value, { text: fact.value });
}
function Facts2({ title, facts, ...more }) {
  return facts.length ? /* @__PURE__ */ jsxs("section", { "aria-label": title, children: [
    /* @__PURE__ */ jsx("h3", { children: title }),
    /* @__PURE__ */ jsx("dl", { children: facts.map((fact, i) => /* @__PURE__ */ jsxs("div", { children: [
      /* @__PURE__ */ jsx("dt", { title: fact.key, children: fact.key.replace(/_ps$/, "").replaceAll("_", " ") }),
      /* @__PURE__ */ jsx("dd", { children: /* @__PURE__ */ jsx(FactValue, { ...more, fact }) })
    ] }, i)) })
  ] }) : null;
}
function Merged({ board, slice }) {
  let busy = slice.duration ? `, ${percent(1 - slice.idle / slice.duration)} of it busy` : "";
  return /* @__PURE__ */ jsxs("p", { children: [
    counted(slice.count, "event"),
    " in ",
    formatNumber(slice.duration, "ps"),
    busy,
    ", each too short to be drawn alone here.",
    " ",
    /* @__PURE__ */ jsx("button", { type: "button", onClick: () => board.fit(), children: "Zoom in (F)" })
  ] });
}
function copied(slice, facts) {
  return [slice.name, ...(facts ?? []).map((f) => `${f.key}	${f.value}`)].join(`
`);
}
function Details({
  board,
  slice,
  open,
  close
}) {
  let [facts, error] = useFacts(board, slice), more = { board, host: slice.track.host, open }, of = (group) => (facts ?? []).filter((f) => f.group === group && !(group === "event" && HIDDEN.includes(f.key)));
  return /* @__PURE__ */ jsxs("section", { class: "trace-details", "aria-label": "Selected slice", "aria-live": "polite", children: [
    /* @__PURE__ */ jsxs("header", { children: [
      /* @__PURE__ */ jsx("h2", { children: /* @__PURE__ */ jsx(Name, { text: slice.count > 1 ? `mostly ${slice.name}` : slice.name || "(no name)" }) }),
      /* @__PURE__ */ jsx("span", { class: "soft", children: slice.track.name }),
      /* @__PURE__ */ jsx("span", { class: "grow" }),
      slice.count === 1 && /* @__PURE__ */ jsx("button", { type: "button", onClick: () => board.fit(), title: "F", children: "Zoom to it" }),
      /* @__PURE__ */ jsx("button", { type: "button", onClick: () => {
        copyText(copied(slice, facts));
      }, children: "Copy" }),
      /* @__PURE__ */ jsx("button", { type: "button", onClick: close, "aria-label": "Close", title: "Esc", children: "×" })
    ] }),
    error && /* @__PURE__ */ jsx(Failure, { error }),
    slice.count > 1 ? /* @__PURE__ */ jsx(Merged, { board, slice }) : /* @__PURE__ */ jsxs("div", { class: "trace-facts", children: [
      /* @__PURE__ */ jsx(Facts2, { ...more, title: "Timing", facts: of("event") }),
      /* @__PURE__ */ jsx(Facts2, { ...more, title: "Stats", facts: of("stat") }),
      /* @__PURE__ */ jsx(Facts2, { ...more, title: "Stats of its kind", facts: of("kind") })
    ] })
  ] });
}

// src/timeline/hits.tsx
var DEBOUNCE_MS2 = 250, NONE = { total: 0, slices: [], at: -1, error: "" };
function hitsOf(board, answer) {
  let c = answer.tables.hits?.columns ?? {};
  return (c.row ?? []).flatMap((row, i) => {
    let track = board.track(keyOf(String(c.host[i]), Number(c.track[i])));
    return track ? [
      {
        track,
        depth: Number(c.depth[i]),
        start: Number(c.start_ps[i]),
        duration: Number(c.duration_ps[i]),
        idle: 0,
        name: String(c.name[i]),
        count: 1,
        row: Number(row)
      }
    ] : [];
  });
}
function countsOf(answer) {
  let c = answer.tables.hit_tracks?.columns ?? {};
  return new Map(
    (c.hits ?? []).map((hits, i) => [keyOf(String(c.host[i]), Number(c.track[i])), Number(hits)])
  );
}
function options2({ text: text2, regex }, offset) {
  return { search: text2, offset: String(offset), ...regex ? { regex: "true" } : {} };
}
function useHits(board, search2, choose) {
  let [hits, setHits] = useState(null), latest = useRef(null);
  latest.current = hits, useEffect(() => {
    board.search(search2.regex ? "" : search2.text, /* @__PURE__ */ new Map(), /* @__PURE__ */ new Set());
    let abort = new AbortController();
    search2.text || setHits(null);
    let timer = setTimeout(() => {
      search2.text && board.ask(options2(search2, 0), abort.signal).then(
        (answer) => {
          let slices = hitsOf(board, answer);
          board.search(search2.regex ? "" : search2.text, countsOf(answer), new Set(slices.map((slice) => slice.name))), setHits({ ...NONE, total: Number(answer.summary.hit_count), slices });
        },
        (reason) => !abort.signal.aborted && setHits({ ...NONE, error: asApiError(reason).message })
      );
    }, DEBOUNCE_MS2);
    return () => {
      clearTimeout(timer), abort.abort();
    };
  }, [board, search2.text, search2.regex]);
  let load = useCallback(async () => {
    let old = latest.current;
    if (!old || old.slices.length >= old.total) return old;
    let answer = await board.ask(options2(search2, old.slices.length)).catch(() => null);
    if (!answer || latest.current !== old) return latest.current;
    let next2 = { ...old, slices: [...old.slices, ...hitsOf(board, answer)] };
    return setHits(next2), next2;
  }, [board, search2.text, search2.regex]), show = useCallback(
    async (at) => {
      let held = at < (latest.current?.slices.length ?? 0) ? latest.current : await load(), slice = held?.slices[at];
      !held || !slice || (setHits({ ...held, at }), choose(slice));
    },
    [load, choose]
  ), step2 = useCallback(
    (by) => {
      let held = latest.current;
      if (!held?.total) return;
      let at = held.at + by;
      show(at < 0 ? held.slices.length - 1 : at >= held.total ? 0 : at);
    },
    [show]
  );
  return { hits, step: step2, show: (at) => {
    show(at);
  }, more: () => {
    load();
  } };
}
function count(hits) {
  return !hits || hits.error ? "" : hits.total ? hits.at < 0 ? counted(hits.total, "hit") : `${grouped(hits.at + 1)} of ${grouped(hits.total)}` : "no hits";
}
function SearchBox({ search: search2, change, searching }) {
  let onKeyDown = (event) => {
    let box = event.currentTarget;
    if (event.key === "Enter") searching.step(event.shiftKey ? -1 : 1);
    else if (event.key === "Escape") box.blur();
    else return;
    event.preventDefault(), event.stopPropagation();
  }, none = !searching.hits?.total;
  return /* @__PURE__ */ jsxs("div", { class: "trace-search", role: "search", children: [
    /* @__PURE__ */ jsx(
      "input",
      {
        type: "search",
        value: search2.text,
        placeholder: "Find events  /",
        "aria-label": "Find events by name or op",
        spellcheck: !1,
        "aria-invalid": !!searching.hits?.error,
        onInput: (event) => change({ ...search2, text: event.currentTarget.value }),
        onKeyDown
      }
    ),
    /* @__PURE__ */ jsx(
      "button",
      {
        type: "button",
        "aria-pressed": search2.regex,
        title: "Regular expression",
        onClick: () => change({ ...search2, regex: !search2.regex }),
        children: ".*"
      }
    ),
    /* @__PURE__ */ jsx(
      "button",
      {
        type: "button",
        disabled: none,
        "aria-label": "Hit before",
        title: "Shift Enter",
        onClick: () => searching.step(-1),
        children: "↑"
      }
    ),
    /* @__PURE__ */ jsx("button", { type: "button", disabled: none, "aria-label": "Next hit", title: "Enter", onClick: () => searching.step(1), children: "↓" }),
    /* @__PURE__ */ jsx("span", { class: "soft", role: "status", children: count(searching.hits) })
  ] });
}
function HitList({ board, searching, close }) {
  let { hits, show, more } = searching;
  if (!hits) return null;
  let left = hits.total - hits.slices.length;
  return /* @__PURE__ */ jsxs("section", { class: "trace-hits", "aria-label": "Hits", children: [
    /* @__PURE__ */ jsxs("header", { children: [
      /* @__PURE__ */ jsx("h2", { children: count(hits) || "Search" }),
      /* @__PURE__ */ jsx("span", { class: "grow" }),
      /* @__PURE__ */ jsx("button", { type: "button", onClick: close, "aria-label": "End the search", children: "×" })
    ] }),
    hits.error && /* @__PURE__ */ jsx("p", { role: "alert", children: hits.error }),
    /* @__PURE__ */ jsx("ol", { children: hits.slices.map((slice, i) => /* @__PURE__ */ jsx("li", { children: /* @__PURE__ */ jsxs(
      "button",
      {
        type: "button",
        "aria-current": i === hits.at,
        onClick: () => show(i),
        title: `${slice.name}
${slice.track.name}`,
        children: [
          /* @__PURE__ */ jsx("span", { class: "number", children: exactTime(slice.start - board.origin) }),
          /* @__PURE__ */ jsx(Name, { text: slice.name }),
          /* @__PURE__ */ jsx("span", { class: "number", children: formatNumber(slice.duration, "ps") })
        ]
      }
    ) }, i)) }),
    left > 0 && /* @__PURE__ */ jsxs("button", { type: "button", onClick: more, children: [
      grouped(left),
      " more"
    ] })
  ] });
}

// src/timeline/labels.tsx
function Header({ board, process, top }) {
  let open = !board.closed.has(process.key), filled = process.tracks.filter((t) => t.events).length;
  return /* @__PURE__ */ jsxs(
    "button",
    {
      type: "button",
      class: "trace-process",
      style: { top: `${top}px` },
      "aria-expanded": open,
      onClick: () => board.toggle(process),
      children: [
        /* @__PURE__ */ jsx("span", { "aria-hidden": "true", children: open ? "▾" : "▸" }),
        " ",
        /* @__PURE__ */ jsx(Name, { text: process.name || "(no name)" }),
        /* @__PURE__ */ jsx("span", { class: "soft", children: process.events ? `${counted(filled, "track")}, ${counted(process.events, "event")}` : "no events" })
      ]
    }
  );
}
var THREAD_ID = /^(.+)\/-?(\d+)$/, ID_DIGITS = 4;
function TrackName({ name, title }) {
  let [, pool, id] = THREAD_ID.exec(name) ?? [];
  return !pool || !id ? /* @__PURE__ */ jsx(Name, { text: name, title }) : /* @__PURE__ */ jsxs(Fragment2, { children: [
    /* @__PURE__ */ jsx(Name, { text: pool, title }),
    /* @__PURE__ */ jsx("span", { class: "soft trace-id", title, children: id.length > ID_DIGITS + 1 ? `…${id.slice(-ID_DIGITS)}` : id })
  ] });
}
function Label({ row, top, hits }) {
  let { track } = row, name = track.name || `track ${track.row}`, inner = Math.max(4, Math.min(4 - top, row.height - 18));
  return /* @__PURE__ */ jsxs("div", { class: "trace-label", style: { top: `${top}px`, height: `${row.height}px`, paddingTop: `${inner}px` }, children: [
    /* @__PURE__ */ jsx(TrackName, { name, title: `${name}
${track.kind}, ${counted(track.events, "event")}` }),
    hits > 0 && /* @__PURE__ */ jsx("mark", { title: counted(hits, "hit"), children: formatNumber(hits, "count") })
  ] });
}
function Labels({ board }) {
  let rows2 = rowsBetween(board.layout, board.scroll, board.scroll + Math.max(0, board.height - RULER));
  return /* @__PURE__ */ jsx("div", { class: "trace-labels", children: rows2.map((row) => {
    let top = row.top - board.scroll;
    return row.track ? /* @__PURE__ */ jsx(Label, { row, top, hits: board.hits.get(row.track.key) ?? 0 }, row.track.key) : /* @__PURE__ */ jsx(Header, { board, process: row.process, top }, row.process.key);
  }) });
}
function ScrollBar({ board }) {
  let bar = useRef(null);
  return useEffect(() => {
    bar.current && Math.abs(bar.current.scrollTop - board.scroll) > 1 && (bar.current.scrollTop = board.scroll);
  }), /* @__PURE__ */ jsx(
    "div",
    {
      ref: bar,
      class: "trace-bar",
      tabIndex: -1,
      "aria-hidden": "true",
      onScroll: (event) => board.scrollTo(event.currentTarget.scrollTop),
      children: /* @__PURE__ */ jsx("div", { style: { height: `${board.layout.height}px` } })
    }
  );
}

// src/timeline/tooltip.tsx
var ROOM2 = 420;
function Tooltip({ board }) {
  let slice = board.hover, place = slice && placeOf2(board, slice);
  if (!slice || !place) return null;
  let left = Math.max(4, Math.min(place.x + Math.min(place.width / 2, 40), board.width - ROOM2)), below = place.y + 18 + 4, style = below > board.height - 88 ? { left: `${left}px`, bottom: `${board.height - place.y + 4}px` } : { left: `${left}px`, top: `${below}px` };
  return /* @__PURE__ */ jsxs("div", { class: "trace-tip", style, role: "tooltip", children: [
    /* @__PURE__ */ jsx("p", { class: "name", children: slice.count === 1 ? slice.name : `${counted(slice.count, "event")}, mostly ${slice.name}` }),
    /* @__PURE__ */ jsxs("p", { children: [
      /* @__PURE__ */ jsx("b", { title: exactValue(slice.duration, "ps"), children: slice.duration ? formatNumber(slice.duration, "ps") : "an instant" }),
      slice.count > 1 && slice.duration > 0 && /* @__PURE__ */ jsxs(Fragment2, { children: [
        " · busy ",
        percent(1 - slice.idle / slice.duration)
      ] }),
      /* @__PURE__ */ jsxs("span", { class: "soft", children: [
        " · at ",
        exactTime(slice.start - board.origin)
      ] })
    ] })
  ] });
}

// src/tools/trace_viewer.tsx
var keys4 = KEYS3, ADDRESS_MS = 300, SCROLLS = /^(Arrow|Page|Home)/;
function viewOf2(start, end, offset) {
  let view = { start: Number(start ?? NaN) + offset, end: Number(end ?? NaN) + offset };
  return view.end > view.start ? view : null;
}
function placesOf(params, board) {
  let offset = board.offsets.get(params.clock ?? "") ?? 0, [, from, to] = /^(-?\d+)-(-?\d+)$/.exec(params.range ?? "") ?? [];
  return { view: viewOf2(params.start_ps, params.end_ps, offset), range: viewOf2(from, to, offset) };
}
function paramsOf(board, search2) {
  let params = {};
  return (board.view.start !== board.span.start || board.view.end !== board.span.end) && (params.start_ps = String(Math.floor(board.view.start)), params.end_ps = String(Math.ceil(board.view.end))), board.range && (params.range = `${Math.round(board.range.start)}-${Math.round(board.range.end)}`), board.selected?.count === 1 && (params.event = keyOf(board.selected.track.host, board.selected.row)), search2.text && (params.search = search2.text), search2.text && search2.regex && (params.regex = "true"), params;
}
function same(a, b) {
  return JSON.stringify(Object.entries(a).sort()) === JSON.stringify(Object.entries(b).sort());
}
function useAddress({ selection, navigate }, board, search2, setSearch, open) {
  let written = useRef({});
  useEffect(() => {
    let params = ownParams(selection.params);
    if (same(params, written.current)) return;
    written.current = params;
    let { view, range } = placesOf(params, board);
    board.range = range, board.look(view ?? board.span), setSearch({ text: params.search ?? "", regex: params.regex === "true" }), params.event && open(params.event, view === null);
  }, [board, selection.params]), useEffect(() => {
    let timer = 0, write2 = () => {
      let params = paramsOf(board, search2);
      same(params, written.current) || (written.current = params, navigate({ params }, "replace"));
    }, later = () => {
      clearTimeout(timer), timer = window.setTimeout(write2, ADDRESS_MS);
    }, end = board.subscribe(later);
    return later(), () => {
      end(), clearTimeout(timer);
    };
  }, [board, search2, navigate]);
}
function useKeys(board, actions) {
  useEffect(() => {
    let listen = (event) => {
      let target = event.target instanceof Element ? event.target : null;
      event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || target?.closest("input, textarea, select, dialog, [role=listbox], .top-bar") || target?.closest(".trace-drawer") && SCROLLS.test(event.key) || onKey(board, event, actions) && event.preventDefault();
    };
    return document.addEventListener("keydown", listen), () => document.removeEventListener("keydown", listen);
  }, [board, actions]);
}
function State({ board }) {
  let { start, end } = board.view;
  return /* @__PURE__ */ jsxs("span", { class: "trace-state soft", title: `${exactTime(start - board.origin)} to ${exactTime(end - board.origin)}`, children: [
    formatNumber(end - start, "ps"),
    " of ",
    formatNumber(board.span.end - board.span.start, "ps"),
    /* @__PURE__ */ jsx("span", { role: "status", children: board.loading ? " · reading…" : "" })
  ] });
}
function ZoomButtons({ board }) {
  return /* @__PURE__ */ jsxs("span", { class: "trace-zoom", children: [
    /* @__PURE__ */ jsx("button", { type: "button", title: "W", "aria-label": "Zoom in", onClick: () => board.zoom(1 / 2), children: "+" }),
    /* @__PURE__ */ jsx("button", { type: "button", title: "S", "aria-label": "Zoom out", onClick: () => board.zoom(2), children: "−" }),
    /* @__PURE__ */ jsx("button", { type: "button", title: "0", onClick: () => board.look(board.span), children: "Whole" })
  ] });
}
function Trace({ page, answer, board }) {
  useBoard(board);
  let [search2, setSearch] = useState({ text: "", regex: !1 }), choose = useCallback(
    (slice) => {
      board.selected = slice, board.changed();
    },
    [board]
  ), open = useCallback(
    async (event, jump = !0) => {
      let answer2 = await board.ask({ event }).catch(() => null), slice = answer2 && sliceOf(board, factsOf(answer2));
      slice && (choose(slice), jump ? board.jump(slice) : board.reveal(slice.track, slice.depth));
    },
    [board, choose]
  ), found = useCallback(
    (slice) => {
      choose(slice), board.jump(slice);
    },
    [board, choose]
  ), searching = useHits(board, search2, found), actions = useMemo(
    () => ({
      choose,
      search: () => document.querySelector(".trace-search input")?.focus()
    }),
    [choose]
  );
  useAddress(page, board, search2, setSearch, (event, jump) => {
    open(event, jump);
  }), useKeys(board, actions);
  let drawer = board.selected || searching.hits;
  return /* @__PURE__ */ jsxs("div", { class: "trace", children: [
    /* @__PURE__ */ jsxs("div", { class: "trace-tools", children: [
      /* @__PURE__ */ jsx(SearchBox, { search: search2, change: setSearch, searching }),
      /* @__PURE__ */ jsx("span", { class: "grow" }),
      /* @__PURE__ */ jsx(State, { board }),
      /* @__PURE__ */ jsx(ZoomButtons, { board })
    ] }),
    answer.findings.map((finding) => /* @__PURE__ */ jsx("p", { class: "trace-note", children: finding.title }, finding.title)),
    board.error && /* @__PURE__ */ jsx(Failure, { error: board.error }),
    /* @__PURE__ */ jsxs("div", { class: "trace-board", children: [
      /* @__PURE__ */ jsxs("div", { class: "trace-corner soft", children: [
        grouped(Number(answer.summary.event_count)),
        " events"
      ] }),
      /* @__PURE__ */ jsx(Labels, { board }),
      /* @__PURE__ */ jsxs("div", { class: "trace-area", children: [
        /* @__PURE__ */ jsx(Canvas, { board, actions }),
        /* @__PURE__ */ jsx(Tooltip, { board })
      ] }),
      /* @__PURE__ */ jsx(ScrollBar, { board })
    ] }),
    drawer && /* @__PURE__ */ jsxs("div", { class: "trace-drawer", children: [
      /* @__PURE__ */ jsx(HitList, { board, searching, close: () => setSearch({ ...search2, text: "" }) }),
      !board.selected && /* @__PURE__ */ jsx("p", { class: "soft trace-hint", children: "Choose a hit, or press Enter, to see all that is known of it." }),
      board.selected && /* @__PURE__ */ jsx(
        Details,
        {
          board,
          slice: board.selected,
          open: (event) => {
            open(event);
          },
          close: () => choose(null)
        }
      )
    ] })
  ] });
}
function Loaded({ page, answer, width }) {
  let [board, setBoard] = useState(null);
  return useEffect(() => {
    let made2 = new Board(page.api, answer, width);
    return setBoard(made2), () => made2.dispose();
  }, [answer]), answer.summary.event_count ? board && /* @__PURE__ */ jsx(Trace, { page, answer, board }, board.id) : /* @__PURE__ */ jsxs("section", { class: "empty", children: [
    /* @__PURE__ */ jsx("h1", { children: "No event has a time" }),
    /* @__PURE__ */ jsxs("p", { children: [
      answer.unknown.span_start_ps,
      ". See the quality mark at the top for what the file held."
    ] })
  ] });
}
function TraceViewer(page) {
  let [width] = useState(() => window.innerWidth > 400 ? Math.ceil(window.innerWidth / 100) * 100 : 1200), asked = useAnswer(page.api, { width: String(width) });
  return /* @__PURE__ */ jsx("div", { class: "trace-page", children: /* @__PURE__ */ jsx(Shown, { asked, children: (answer) => /* @__PURE__ */ jsx(Loaded, { page, answer, width }) }) });
}

// pages:pages
var PAGES = { input_pipeline: input_pipeline_exports, overview: overview_exports, pod_viewer: pod_viewer_exports, trace_viewer: trace_viewer_exports };

// src/address.ts
var PLUGIN = "perfplugin", PREFIX = `p.${PLUGIN}.`;
function decode(text2) {
  try {
    return decodeURIComponent(text2);
  } catch {
    return text2;
  }
}
function hostList(text2) {
  return text2 ? text2.split(",").map(decode) : [];
}
function parseHash(hash) {
  let selection = { run: "", hosts: [], tool: "", params: {} };
  for (let part of hash.replace(/^#/, "").split("&")) {
    let at = part.indexOf("=");
    if (at < 0 || !part.startsWith(PREFIX)) continue;
    let name = decode(part.slice(PREFIX.length, at)), value = decode(part.slice(at + 1));
    name === "run" ? selection.run = value : name === "tool" ? selection.tool = value : name === "host" ? selection.hosts = hostList(value) : selection.params[name] = value;
  }
  return selection;
}
function formatHash(selection, old = "") {
  let others = old.replace(/^#/, "").split("&").filter((part) => part.includes("=") && !part.startsWith(PREFIX)), parts = [
    ["run", selection.run],
    ["host", selection.hosts.map(encodeURIComponent).join(",")],
    ["tool", selection.tool],
    ...Object.entries(selection.params)
  ].filter(([, value]) => value).map(([k, v]) => `${PREFIX}${encodeURIComponent(k)}=${encodeURIComponent(v)}`);
  return `#${[PLUGIN, ...others, ...parts].join("&")}`;
}
function isOurs(hash) {
  let tab = hash.replace(/^#/, "").split("&").find((part) => part && !part.includes("="));
  return tab === void 0 || tab === PLUGIN;
}

// src/state.ts
function write(selection, how) {
  let hash = formatHash(selection, outer.location.hash);
  hash !== outer.location.hash && (how === "push" ? outer.history.pushState(outer.history.state, "", hash) : outer.history.replaceState(outer.history.state, "", hash));
}
var EVENTS = ["hashchange", "popstate"];
function follow2(current2, accept) {
  let listen = () => {
    let { hash } = outer.location;
    if (!isOurs(hash) || !isShown()) return;
    let read = parseHash(hash);
    !read.run && !read.tool ? write(current2(), "replace") : formatHash(read) !== formatHash(current2()) && accept(read);
  };
  for (let event of EVENTS) outer.addEventListener(event, listen);
  return window.addEventListener("resize", listen), () => {
    for (let event of EVENTS) outer.removeEventListener(event, listen);
    window.removeEventListener("resize", listen);
  };
}
function useSelection() {
  let [selection, show] = useState(() => parseHash(outer.location.hash)), latest = useRef(selection), accept = useCallback((next2) => {
    latest.current = next2, show(next2);
  }, []);
  useEffect(() => follow2(() => latest.current, accept), [accept]);
  let navigate = useCallback(
    (change, how = "push") => {
      let next2 = changed(latest.current, change);
      accept(next2), write(next2, how);
    },
    [accept]
  );
  return [selection, navigate];
}

// src/views/bars.tsx
var MOST_ROWS2 = 8;
function segments(columns, data, row) {
  return columns.flatMap((column) => {
    let value = data.columns[column.name]?.[row];
    return typeof value == "number" && value > 0 ? [{ column, value }] : [];
  });
}
function total(parts) {
  return parts.reduce((sum, part) => sum + part.value, 0);
}
function Bar2({ parts, most, name }) {
  return /* @__PURE__ */ jsx("span", { class: "bar", children: parts.map(({ column, value }) => /* @__PURE__ */ jsx(
    "b",
    {
      title: `${label(column)}: ${exactValue(value, column.unit)}`,
      style: {
        width: `${100 * value / most}%`,
        background: `var(${categoryOf(name || column.name)})`
      }
    },
    column.name
  )) });
}
function Bars2({ view, spec, data }) {
  let columns = spec.columns.filter((c) => view.values.includes(c.name)), seen = columns.filter((c) => data.columns[c.name]?.some((value) => typeof value == "number" && value > 0)), labels2 = data.columns[view.label] ?? [], filled = Array.from({ length: rowCount(data) }, (_, row) => ({ row, parts: segments(columns, data, row) })).filter(({ parts }) => parts.length), most = Math.max(...filled.map(({ parts }) => total(parts))), rest = filled.slice(MOST_ROWS2).reduce((sum, { parts }) => sum + total(parts), 0), unit = columns[0]?.unit ?? "";
  return /* @__PURE__ */ jsxs("div", { class: "bars", children: [
    columns.length > 1 && /* @__PURE__ */ jsx("p", { class: "legend", children: seen.map((c) => /* @__PURE__ */ jsxs("span", { title: c.help, children: [
      /* @__PURE__ */ jsx("i", { style: { background: `var(${categoryOf(c.name)})` } }),
      label(c)
    ] }, c.name)) }),
    /* @__PURE__ */ jsx("ul", { children: filled.slice(0, MOST_ROWS2).map(({ row, parts }) => /* @__PURE__ */ jsxs("li", { children: [
      /* @__PURE__ */ jsx(Name, { text: formatValue(labels2[row], "") }),
      /* @__PURE__ */ jsx(Bar2, { parts, most, name: columns.length > 1 ? "" : String(labels2[row]) }),
      /* @__PURE__ */ jsx("span", { class: "number", children: formatNumber(total(parts), unit) })
    ] }, row)) }),
    filled.length > MOST_ROWS2 && /* @__PURE__ */ jsxs("p", { class: "soft", children: [
      "and ",
      filled.length - MOST_ROWS2,
      " more, together ",
      formatNumber(rest, unit)
    ] }),
    !filled.length && /* @__PURE__ */ jsx("p", { class: "soft", children: "Nothing to draw: every value is zero or unknown." })
  ] });
}

// src/views/generic.tsx
function OneView({ view, answer, page }) {
  let { tool, selection, navigate } = page, spec = tool.tables.find((t) => t.name === view.table), table = useTableState(selection, navigate, view.table);
  if (view.kind === "facts") {
    let columns = tool.summary.filter((c) => !view.show.length || view.show.includes(c.name));
    return /* @__PURE__ */ jsx(Panel, { title: view.title, children: /* @__PURE__ */ jsx(Facts, { columns, values: answer.summary, unknown: answer.unknown }) });
  }
  let data = answer.tables[view.table];
  if (!spec || !data) return null;
  let title = view.title || spec.title;
  if (view.kind === "bars")
    return /* @__PURE__ */ jsx(Panel, { title, help: spec.help, children: /* @__PURE__ */ jsx(Bars2, { view, spec, data }) });
  let shared = common(page, view, spec), { csv, json } = shared;
  if (view.kind === "lines" || view.kind === "stack") {
    let Drawn = view.kind === "lines" ? Lines : Stack;
    return /* @__PURE__ */ jsx(Panel, { title, bare: !0, children: /* @__PURE__ */ jsx(Drawn, { ...shared, title, view, spec, data }) });
  }
  return /* @__PURE__ */ jsx(Panel, { title, bare: !0, class: "fill", children: /* @__PURE__ */ jsx(
    DataTable,
    {
      title,
      spec,
      data,
      show: view.show,
      csv,
      json,
      find: (name) => navigate(searchInTrace(name)),
      ...table
    }
  ) });
}
function Generic(page) {
  let { tool, navigate, selection, api } = page, asked = useAnswer(api, given(page));
  return /* @__PURE__ */ jsxs("div", { class: "page", children: [
    /* @__PURE__ */ jsx(Options, { options: tool.options, params: selection.params, set: (params) => navigate({ params }) }),
    /* @__PURE__ */ jsx(Shown, { asked, children: (answer) => /* @__PURE__ */ jsxs(Fragment2, { children: [
      answer.findings[0] && /* @__PURE__ */ jsxs(Panel, { title: "", children: [
        /* @__PURE__ */ jsx(Headline, { finding: answer.findings[0], answer, navigate }),
        /* @__PURE__ */ jsx(Findings, { findings: answer.findings.slice(1), answer, navigate })
      ] }),
      tool.views.map((view, i) => /* @__PURE__ */ jsx(Boundary, { what: view.title || view.table || view.kind, children: /* @__PURE__ */ jsx(OneView, { view, answer, page }) }, i))
    ] }) })
  ] });
}

// src/shell/notes.tsx
function Notes({ notes }) {
  return notes.length ? /* @__PURE__ */ jsx("ul", { class: "notes soft", "aria-label": "Not looked at", children: notes.map((note) => /* @__PURE__ */ jsx("li", { children: note }, note)) }) : null;
}

// src/shell/empty.tsx
function Case({ diagnosis }) {
  let { path, found, cause, fix, ok } = diagnosis;
  return /* @__PURE__ */ jsx("li", { class: ok ? "ok" : "bad", children: /* @__PURE__ */ jsxs("dl", { children: [
    /* @__PURE__ */ jsx("dt", { children: "Looked at" }),
    /* @__PURE__ */ jsx("dd", { children: /* @__PURE__ */ jsx("code", { children: path }) }),
    /* @__PURE__ */ jsx("dt", { children: "Found" }),
    /* @__PURE__ */ jsx("dd", { children: found }),
    cause && /* @__PURE__ */ jsxs(Fragment2, { children: [
      /* @__PURE__ */ jsx("dt", { children: ok ? "So" : "Why" }),
      /* @__PURE__ */ jsx("dd", { children: cause })
    ] }),
    fix && /* @__PURE__ */ jsxs(Fragment2, { children: [
      /* @__PURE__ */ jsx("dt", { children: "To fix it" }),
      /* @__PURE__ */ jsxs("dd", { class: "fix", children: [
        /* @__PURE__ */ jsx("code", { children: fix }),
        /* @__PURE__ */ jsx(CopyButton, { text: () => fix, label: "Copy" })
      ] })
    ] })
  ] }) });
}
function Roots({ roots }) {
  return roots.map(({ path }, i) => /* @__PURE__ */ jsxs(Fragment, { children: [
    i > 0 && ", ",
    /* @__PURE__ */ jsx("code", { children: path })
  ] }, path));
}
function untold(runs) {
  let told = (runs.diagnosis ?? []).map(({ path }) => `${path}: `);
  return runs.notes.filter((note) => !told.some((path) => note.startsWith(path)));
}
function Empty({ runs }) {
  return runs.scanning ? /* @__PURE__ */ jsxs("p", { class: "empty", role: "status", children: [
    "Looking for captures: ",
    counted(runs.folders, "folder"),
    " so far…"
  ] }) : /* @__PURE__ */ jsxs("section", { class: "empty", children: [
    /* @__PURE__ */ jsx("h1", { children: "No profile to show yet" }),
    /* @__PURE__ */ jsx("p", { class: "soft", children: "This page keeps looking: a new capture appears here within seconds, without a restart." }),
    /* @__PURE__ */ jsx("ul", { class: "cases", children: (runs.diagnosis ?? []).map((diagnosis) => /* @__PURE__ */ jsx(Case, { diagnosis }, diagnosis.case + diagnosis.path)) }),
    !runs.diagnosis?.length && /* @__PURE__ */ jsxs("p", { children: [
      "Looked at ",
      /* @__PURE__ */ jsx(Roots, { roots: runs.roots })
    ] }),
    /* @__PURE__ */ jsx(Notes, { notes: untold(runs) })
  ] });
}

// src/shell/help.tsx
var KEYS4 = [
  ["?", "this help"],
  ["Shift R", "choose a run"],
  ["Shift H", "choose a host"],
  ["1 … 9", "open a tool"],
  ["/", "filter or search on this page"],
  ["↑ ↓ PgUp PgDn", "move in a table; with Shift choose rows"],
  ["Ctrl C", "copy the chosen rows, exact values"],
  ["Esc", "close"]
];
function Keys({ keys: keys5 }) {
  return /* @__PURE__ */ jsx("table", { class: "keys", children: /* @__PURE__ */ jsx("tbody", { children: keys5.map(([key, what]) => /* @__PURE__ */ jsxs("tr", { children: [
    /* @__PURE__ */ jsx("th", { scope: "row", children: /* @__PURE__ */ jsx("kbd", { children: key }) }),
    /* @__PURE__ */ jsx("td", { children: what })
  ] }, key)) }) });
}
function Help({ tool, keys: keys5, close }) {
  let dialog = useRef(null);
  return useEffect(() => dialog.current?.showModal(), []), /* @__PURE__ */ jsx(
    "dialog",
    {
      ref: dialog,
      class: "help",
      "aria-label": "Help",
      onClose: close,
      onClick: (event) => event.target === dialog.current && close(),
      children: /* @__PURE__ */ jsxs("div", { children: [
        tool && /* @__PURE__ */ jsxs(Fragment2, { children: [
          /* @__PURE__ */ jsx("h2", { children: tool.title }),
          /* @__PURE__ */ jsx("p", { children: tool.question }),
          /* @__PURE__ */ jsx("p", { class: "soft", children: tool.help })
        ] }),
        tool && /* @__PURE__ */ jsx(Meanings, { tool }),
        keys5 && /* @__PURE__ */ jsxs(Fragment2, { children: [
          /* @__PURE__ */ jsx("h2", { children: "Keys of this page" }),
          /* @__PURE__ */ jsx(Keys, { keys: keys5 })
        ] }),
        /* @__PURE__ */ jsx("h2", { children: "Keys everywhere" }),
        /* @__PURE__ */ jsx(Keys, { keys: KEYS4 ?? [] }),
        /* @__PURE__ */ jsx("p", { class: "soft", children: "Colours mean the same everywhere:" }),
        /* @__PURE__ */ jsx(Legend3, {}),
        /* @__PURE__ */ jsx("form", { method: "dialog", children: /* @__PURE__ */ jsx("button", { type: "submit", children: "Close" }) })
      ] })
    }
  );
}
function Meanings({ tool }) {
  let drawn = tool.views.every((view) => view.kind === "page"), groups = [{ title: "The numbers at the top", columns: tool.summary }, ...tool.tables];
  return drawn ? null : /* @__PURE__ */ jsxs(Fragment2, { children: [
    /* @__PURE__ */ jsx("h2", { children: "What the numbers mean" }),
    groups.map(({ title, columns }) => /* @__PURE__ */ jsxs("details", { children: [
      /* @__PURE__ */ jsx("summary", { children: title }),
      /* @__PURE__ */ jsx("dl", { children: columns.map((column) => /* @__PURE__ */ jsxs("div", { children: [
        /* @__PURE__ */ jsx("dt", { title: column.name, children: label(column) }),
        /* @__PURE__ */ jsx("dd", { children: column.help })
      ] }, column.name)) })
    ] }, title))
  ] });
}
var COLOURS = [
  ["--input", "waiting for input"],
  ["--device", "device compute"],
  ["--device16", "in 16 bits"],
  ["--device8", "in 8 bits"],
  ["--launch", "kernel launch"],
  ["--host", "host compute"],
  ["--runtime", "runtime overhead"],
  ["--copy", "copies"],
  ["--collective", "collectives"],
  ["--compile", "compilation"],
  ["--python", "Python"],
  ["--waiting", "waiting"],
  ["--idle", "idle"],
  ["--unknown", "unknown"]
];
function Legend3() {
  return /* @__PURE__ */ jsx("p", { class: "legend", children: COLOURS.map(([variable, what]) => /* @__PURE__ */ jsxs("span", { children: [
    /* @__PURE__ */ jsx("i", { style: { background: `var(${variable})` } }),
    what
  ] }, variable)) });
}

// src/shell/keys.ts
function isTyping(target) {
  return target instanceof HTMLElement && target.matches("input:not([type=checkbox]), textarea, select");
}
function press(id) {
  document.getElementById(id)?.click();
}
function search() {
  let field = document.querySelector("main input[type=search]");
  return field?.focus(), field !== null;
}
function useKeys2(tools, navigate, help) {
  useEffect(() => {
    let onKeyDown = (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || isTyping(event.target)) return;
      let tool = /^[1-9]$/.test(event.key) ? tools[Number(event.key) - 1] : void 0;
      if (event.key === "?") help();
      else if (event.key === "R") press("run-picker");
      else if (event.key === "H") press("host-picker");
      else if (tool) navigate({ tool: tool.name });
      else if (event.key !== "/" || !search()) return;
      event.preventDefault();
    };
    return document.addEventListener("keydown", onKeyDown), () => document.removeEventListener("keydown", onKeyDown);
  }, [tools, navigate, help]);
}

// src/shell/picker.tsx
var ROW_PX3 = 24, MOST_ROWS3 = 18, COMBOBOX = { role: "combobox", "aria-expanded": "true", "aria-controls": "picker-list" };
function next(choices, from, step2) {
  for (let i = from + step2; i >= 0 && i < choices.length; i += step2) if (choices[i]?.value != null) return i;
  return from;
}
function Line({ choice, id, top, isSelected, isAt, pick }) {
  let style = { transform: `translateY(${top}px)` };
  return choice.value === null ? /* @__PURE__ */ jsx("div", { class: "picker-heading", role: "presentation", style, children: choice.content }) : /* @__PURE__ */ jsx("div", { id, role: "option", "aria-selected": isSelected, style, class: isAt ? "at" : "", onClick: pick, children: choice.content });
}
function useAt(choices, filter, selected2) {
  let [moved2, setMoved] = useState(null), first = Math.max(next(choices, -1, 1), filter ? -1 : choices.findIndex((c) => c.value === selected2)), at = moved2?.filter === filter ? moved2.at : first;
  return { at, move: (step2) => {
    let to = at;
    for (let i = 0; i < Math.abs(step2); i++) to = next(choices, to, Math.sign(step2));
    setMoved({ filter, at: to });
  } };
}
var STEPS2 = /* @__PURE__ */ new Map([
  ["ArrowDown", 1],
  ["ArrowUp", -1],
  ["PageDown", MOST_ROWS3 - 1],
  ["PageUp", 1 - MOST_ROWS3]
]);
function Picker({ label: label2, hint, selected: selected2, choices: choose, pick }) {
  let [filter, setFilter] = useState(""), choices = useMemo(() => choose(filter), [choose, filter]), { at, move } = useAt(choices, filter, selected2), scroller = useRef(null), input = useRef(null), rows2 = useVirtualRows(scroller, choices.length, ROW_PX3);
  useLayoutEffect(() => input.current?.focus(), []), useLayoutEffect(() => {
    at >= 0 && rows2.scrollToIndex(at);
  }, [at]);
  let onKeyDown = (event) => {
    let step2 = STEPS2.get(event.key), value = choices[at]?.value;
    step2 === void 0 && event.key !== "Enter" || (event.preventDefault(), step2 !== void 0 ? move(step2) : value != null && pick(value));
  };
  return /* @__PURE__ */ jsxs("div", { class: "picker", children: [
    /* @__PURE__ */ jsx(
      "input",
      {
        ref: input,
        type: "search",
        ...COMBOBOX,
        "aria-label": label2,
        "aria-activedescendant": `pick-${at}`,
        placeholder: hint,
        value: filter,
        spellcheck: !1,
        onInput: (event) => setFilter(event.currentTarget.value),
        onKeyDown
      }
    ),
    /* @__PURE__ */ jsx("div", { class: "picker-list", ref: scroller, style: { height: `${Math.min(choices.length, MOST_ROWS3) * ROW_PX3}px` }, children: /* @__PURE__ */ jsx("div", { id: "picker-list", role: "listbox", "aria-label": label2, style: { height: `${rows2.getTotalSize()}px` }, children: rows2.getVirtualItems().map(({ index, start }) => {
      let choice = choices[index], state = { isSelected: choice.value === selected2, isAt: index === at }, choose2 = () => choice.value !== null && pick(choice.value);
      return /* @__PURE__ */ jsx(Line, { choice, id: `pick-${index}`, top: start, pick: choose2, ...state }, index);
    }) }) }),
    choices.length === 0 && /* @__PURE__ */ jsx("p", { class: "soft", children: "Nothing matches." })
  ] });
}

// src/shell/run_groups.ts
function split(name) {
  let at = name.lastIndexOf("/");
  return at < 0 ? ["", name] : [name.slice(0, at), name.slice(at + 1)];
}
function groupRuns(runs, filter) {
  let words = filter.toLowerCase().split(/\s+/).filter(Boolean), groups = /* @__PURE__ */ new Map();
  for (let run of runs) {
    let haystack = `${run.name} ${run.hosts.map((h2) => h2.name).join(" ")}`.toLowerCase();
    if (!words.every((word) => haystack.includes(word))) continue;
    let [folder, short] = split(run.name), lines = groups.get(folder) ?? [];
    lines.push({ run, short }), groups.set(folder, lines);
  }
  return [...groups].flatMap(([folder, lines]) => {
    let [only] = lines;
    return lines.length === 1 && only && "run" in only ? [{ run: only.run, short: only.run.name }] : folder ? [{ group: folder }, ...lines] : lines;
  });
}

// src/shell/pickers.tsx
var SESSION = 19;
function runChoice(run, short) {
  let hosts = run.hosts.length === 1 ? run.hosts[0].name : counted(run.hosts.length, "host"), content = /* @__PURE__ */ jsxs(
    "span",
    {
      class: "run-line",
      title: `${run.name}
${formatTime(run.captured_ms)}
${run.hosts.map((h2) => h2.name).join(", ")}`,
      children: [
        /* @__PURE__ */ jsx(Name, { text: short, tail: SESSION }),
        /* @__PURE__ */ jsx("span", { class: "soft", children: formatAge(run.captured_ms, Date.now()) }),
        /* @__PURE__ */ jsx("span", { class: "soft run-hosts", children: hosts }),
        /* @__PURE__ */ jsx("span", { class: "soft number", children: formatBytes(run.size_bytes) })
      ]
    }
  );
  return { value: run.name, content };
}
function RunPicker({ runs, selection, navigate }) {
  let choices = useCallback(
    (filter) => groupRuns(runs.runs, filter).map(
      (line) => "group" in line ? { value: null, content: /* @__PURE__ */ jsx(Name, { text: `${line.group}/` }) } : runChoice(line.run, line.short)
    ),
    [runs.runs]
  ), about = `${counted(runs.runs.length, "run")}${runs.scanning ? `, still looking: ${counted(runs.folders, "folder")} so far` : ""}`;
  return /* @__PURE__ */ jsx(
    Popover,
    {
      id: "run-picker",
      label: "Run",
      class: "run-picker",
      button: /* @__PURE__ */ jsxs(Fragment2, { children: [
        /* @__PURE__ */ jsx("span", { class: "soft", children: "run" }),
        " ",
        /* @__PURE__ */ jsx(Name, { text: selection.run, tail: SESSION }),
        " ",
        /* @__PURE__ */ jsx("i", { children: "▾" })
      ] }),
      children: (close) => /* @__PURE__ */ jsxs(Fragment2, { children: [
        /* @__PURE__ */ jsx(
          Picker,
          {
            label: "Run",
            hint: `Search ${about}`,
            selected: selection.run,
            choices,
            pick: (run) => {
              navigate({ run }), close();
            }
          }
        ),
        /* @__PURE__ */ jsx(Notes, { notes: runs.notes })
      ] })
    }
  );
}
function NewRun({ runs, selection, navigate }) {
  let since = useRef(1 / 0), newest = runs.runs[0];
  return since.current === 1 / 0 && !runs.scanning && (since.current = newest?.modified_ms ?? 0), !newest || newest.modified_ms <= since.current || newest.name === selection.run ? null : /* @__PURE__ */ jsx(
    "button",
    {
      type: "button",
      class: "new-run",
      title: `${newest.name}, ${formatTime(newest.captured_ms)}`,
      onClick: () => navigate({ run: newest.name }),
      children: "newer run ▸"
    }
  );
}
function HostPicker({ run, selection, navigate }) {
  let all = run.hosts.length > 1 ? `all ${run.hosts.length}` : run.hosts[0]?.name ?? "none", shown = selection.hosts.length ? selection.hosts.join(", ") : all, choices = useCallback(
    (filter) => {
      let lines = run.hosts.filter((host2) => host2.name.toLowerCase().includes(filter.toLowerCase())).map((host2) => ({
        value: host2.name,
        content: /* @__PURE__ */ jsxs("span", { class: "host-line", children: [
          /* @__PURE__ */ jsx(Name, { text: host2.name }),
          /* @__PURE__ */ jsx("span", { class: "soft", children: host2.format }),
          /* @__PURE__ */ jsx("span", { class: "soft number", children: formatBytes(host2.size_bytes) })
        ] })
      }));
      return filter || run.hosts.length < 2 ? lines : [{ value: "", content: `all ${run.hosts.length} hosts` }, ...lines];
    },
    [run]
  );
  return /* @__PURE__ */ jsx(
    Popover,
    {
      id: "host-picker",
      label: "Host",
      class: "host-picker",
      button: /* @__PURE__ */ jsxs(Fragment2, { children: [
        /* @__PURE__ */ jsx("span", { class: "soft", children: "host" }),
        " ",
        /* @__PURE__ */ jsx(Name, { text: shown }),
        " ",
        /* @__PURE__ */ jsx("i", { children: "▾" })
      ] }),
      children: (close) => /* @__PURE__ */ jsx(
        Picker,
        {
          label: "Host",
          hint: `Search ${counted(run.hosts.length, "host")}`,
          selected: selection.hosts[0] ?? "",
          choices,
          pick: (host2) => {
            navigate({ hosts: host2 ? [host2] : [] }), close();
          }
        }
      )
    }
  );
}

// src/shell/quality.tsx
function level(quality) {
  let { events_in_file: all, events_kept: kept, warnings } = quality;
  return all === 0 || kept < all / 2 ? "bad" : kept < all || warnings.length ? "fair" : "good";
}
var WORDS2 = {
  good: "everything is shown",
  fair: "something is missing",
  bad: "most is missing"
};
function isSlow(quality) {
  return quality.decoder.includes("protobuf");
}
function Details2({ quality }) {
  let lost = Object.entries(quality.dropped).filter(([, count2]) => count2 > 0), share = quality.events_in_file ? quality.events_kept / quality.events_in_file : 0;
  return /* @__PURE__ */ jsxs("div", { class: "quality-details", children: [
    /* @__PURE__ */ jsxs("h2", { children: [
      "Capture quality: ",
      WORDS2[level(quality)]
    ] }),
    /* @__PURE__ */ jsxs("p", { children: [
      grouped(quality.events_kept),
      " of ",
      counted(quality.events_in_file, "event"),
      " in the file are shown (",
      percent(share),
      ")."
    ] }),
    lost.length > 0 && /* @__PURE__ */ jsx("ul", { children: lost.map(([reason, count2]) => /* @__PURE__ */ jsxs("li", { children: [
      grouped(count2),
      " left out: ",
      reason
    ] }, reason)) }),
    quality.warnings.length > 0 && /* @__PURE__ */ jsx("ul", { children: quality.warnings.map((warning) => /* @__PURE__ */ jsx("li", { children: warning }, warning)) }),
    isSlow(quality) && /* @__PURE__ */ jsxs("p", { children: [
      "Read by the slow decoder, because the compiled one is not installed. The numbers are the same; large captures take several times as long. To build it: install a C compiler, then",
      " ",
      /* @__PURE__ */ jsx("code", { children: "pip install --force-reinstall --no-deps tensorboard-perfplugin" })
    ] })
  ] });
}
function QualityButton({ quality }) {
  let notes = [
    `${grouped(quality.events_kept)} of ${grouped(quality.events_in_file)} events`,
    ...quality.warnings.length ? [counted(quality.warnings.length, "warning")] : [],
    ...isSlow(quality) ? ["slow decoder"] : []
  ], button = /* @__PURE__ */ jsxs(Fragment2, { children: [
    /* @__PURE__ */ jsx("i", { class: `dot ${level(quality)}`, "aria-hidden": "true", children: "●" }),
    " ",
    /* @__PURE__ */ jsx("span", { class: "quality-text", children: notes.join(" · ") })
  ] });
  return /* @__PURE__ */ jsx(Popover, { label: `Capture quality: ${WORDS2[level(quality)]}`, button, class: "right", children: () => /* @__PURE__ */ jsx(Details2, { quality }) });
}

// src/shell/top_bar.tsx
function linkTo(selection) {
  let url = new URL(outer.location.href);
  return url.hash = formatHash(selection, outer.location.hash), url.href;
}
function Tab({
  tool,
  reason,
  selection,
  navigate
}) {
  let open = (event) => {
    event.ctrlKey || event.metaKey || event.shiftKey || (event.preventDefault(), navigate({ tool: tool.name }));
  }, here = selection.tool === tool.name;
  return /* @__PURE__ */ jsx(
    "a",
    {
      href: linkTo(changed(selection, { tool: tool.name, params: {} })),
      target: "_top",
      class: reason ? "tab missing" : "tab",
      "aria-current": here ? "page" : void 0,
      title: reason ? `Nothing to show: ${reason}` : tool.question,
      onClick: open,
      children: tool.title
    }
  );
}
function TopBar(props) {
  let { runs, run, tools, missing, quality, selection, navigate, help } = props;
  return /* @__PURE__ */ jsxs("header", { class: "top-bar", children: [
    /* @__PURE__ */ jsx(RunPicker, { runs, selection, navigate }),
    /* @__PURE__ */ jsx(NewRun, { runs, selection, navigate }),
    run && /* @__PURE__ */ jsx(HostPicker, { run, selection, navigate }),
    /* @__PURE__ */ jsx("nav", { "aria-label": "Tools", children: tools.map((tool) => /* @__PURE__ */ jsx(Tab, { tool, reason: missing[tool.name], selection, navigate }, tool.name)) }),
    /* @__PURE__ */ jsxs("div", { class: "top-right", children: [
      quality && /* @__PURE__ */ jsx(QualityButton, { quality }),
      /* @__PURE__ */ jsx(CopyButton, { text: () => linkTo(selection), label: "Copy link", title: "Copy a link to exactly this page" }),
      /* @__PURE__ */ jsx("button", { type: "button", title: "Keys and help (?)", "aria-label": "Help", onClick: help, children: "?" })
    ] })
  ] });
}

// src/shell/use_runs.ts
var PERIOD_MS = 5e3, SCANNING_MS = 500;
function fresh(old, runs) {
  return old && JSON.stringify(old) === JSON.stringify(runs) ? old : runs;
}
function useRuns() {
  let [polled, set] = useState({ runs: null, error: null });
  return useEffect(() => {
    let timer = 0, asking = !1, ask = async () => {
      if (asking) return;
      asking = !0, clearTimeout(timer);
      let period = PERIOD_MS;
      try {
        let runs = await getRuns();
        runs.scanning && (period = SCANNING_MS), set((old) => ({ runs: fresh(old.runs, runs), error: null }));
      } catch (reason) {
        set((old) => ({ ...old, error: asApiError(reason) }));
      }
      asking = !1, timer = window.setTimeout(tick, period);
    }, tick = () => {
      clearTimeout(timer), isShown() ? ask() : timer = window.setTimeout(tick, PERIOD_MS);
    };
    return ask(), onReload(() => {
      ask();
    }), document.addEventListener("visibilitychange", tick), window.addEventListener("resize", tick), () => {
      clearTimeout(timer), document.removeEventListener("visibilitychange", tick), window.removeEventListener("resize", tick);
    };
  }, []), polled;
}

// src/shell/app.tsx
var FIRST_TOOL = "overview", SCAN_PATIENCE_MS = 1e3;
function useFilledSelection(runs) {
  let [selection, navigate] = useSelection(), [patient, setPatient] = useState(!0);
  useEffect(() => {
    let timer = setTimeout(() => setPatient(!1), SCAN_PATIENCE_MS);
    return () => clearTimeout(timer);
  }, []);
  let newest = runs && !(runs.scanning && patient) ? runs.runs[0]?.name ?? "" : "", run = selection.run || newest, tool = selection.tool || FIRST_TOOL;
  return useEffect(() => {
    run && (run !== selection.run || tool !== selection.tool) && navigate({ run, tool, params: selection.params, hosts: selection.hosts }, "replace");
  }, [run, tool, selection, navigate]), [{ ...selection, run, tool }, navigate];
}
function useTools(run, hosts, stamp) {
  let [tools, setTools] = useState([]), [missing, setMissing] = useState({ key: "", reasons: {} }), [error, setError] = useState(null), key = JSON.stringify([run, hosts, stamp]), [attempt, setAttempt] = useState(0);
  return useRetry(error, () => setAttempt((n) => n + 1)), useEffect(() => {
    getTools().then(
      (body) => setTools(body.tools),
      (reason) => setError(asApiError(reason))
    );
  }, [attempt]), useEffect(() => {
    if (!stamp) return;
    let abort = new AbortController();
    return getTools(run, hosts, abort.signal).then(
      (body) => setMissing({
        key,
        reasons: Object.fromEntries(body.tools.flatMap((t) => t.missing === null ? [] : [[t.name, t.missing]]))
      }),
      () => {
      }
      // The page of the tool says why the capture cannot be read.
    ), () => abort.abort();
  }, [key]), [tools, missing.key === key ? missing.reasons : {}, error];
}
function useApi(selection, stamp) {
  let [seen, setSeen] = useState(null), key = JSON.stringify([selection.run, selection.hosts, stamp]);
  return [useMemo(() => {
    let { url, data } = apiFor(selection);
    return {
      url,
      data: async (options3, signal) => {
        let answer = await data(options3, signal);
        return setSeen({ key, quality: answer.quality }), answer;
      }
    };
  }, [key, selection.tool]), seen?.key === key ? seen.quality : null];
}
function PageOf({ reason, ...page }) {
  let { tool } = page;
  if (reason !== void 0)
    return /* @__PURE__ */ jsxs("section", { class: "empty", children: [
      /* @__PURE__ */ jsxs("h1", { children: [
        tool.title,
        ": nothing to show"
      ] }),
      /* @__PURE__ */ jsxs("p", { children: [
        reason.charAt(0).toUpperCase() + reason.slice(1),
        "."
      ] }),
      /* @__PURE__ */ jsx("p", { class: "soft", children: tool.help })
    ] });
  let Page = PAGES[tool.name]?.default ?? Generic;
  return /* @__PURE__ */ jsx(Boundary, { what: tool.title, children: /* @__PURE__ */ jsx(Page, { ...page }, tool.name) });
}
function NoRun({ runs, selection, navigate }) {
  let newest = runs.runs[0];
  return /* @__PURE__ */ jsxs("section", { class: "empty", children: [
    /* @__PURE__ */ jsxs("h1", { children: [
      "There is no run ",
      /* @__PURE__ */ jsx("code", { children: selection.run }),
      " (any more)"
    ] }),
    /* @__PURE__ */ jsxs("p", { children: [
      "Looked for it in ",
      /* @__PURE__ */ jsx(Roots, { roots: runs.roots }),
      " and found ",
      counted(runs.runs.length, "other run"),
      "."
    ] }),
    /* @__PURE__ */ jsx("p", { children: /* @__PURE__ */ jsxs("button", { type: "button", onClick: () => navigate({ run: newest.name }), children: [
      "Open the newest, ",
      newest.name
    ] }) })
  ] });
}
function Body(props) {
  let { runs, run, page, tool, error } = props;
  return run ? error && !tool ? /* @__PURE__ */ jsx(Failure, { error }) : tool ? /* @__PURE__ */ jsx(PageOf, { tool, ...page }) : null : runs.scanning ? /* @__PURE__ */ jsx(Empty, { runs }) : /* @__PURE__ */ jsx(NoRun, { runs, selection: page.selection, navigate: page.navigate });
}
function App() {
  let { runs, error } = useRuns(), [selection, navigate] = useFilledSelection(runs), run = runs?.runs.find((r) => r.name === selection.run), stamp = run?.modified_ms ?? 0, [tools, missing, toolsError] = useTools(selection.run, selection.hosts, stamp), tool = tools.find((t) => t.name === selection.tool || t.aliases.includes(selection.tool)), [api, quality] = useApi({ ...selection, tool: tool?.name ?? selection.tool }, stamp), [helping, setHelping] = useState(!1), help = useCallback(() => setHelping(!0), []);
  useKeys2(tools, navigate, help);
  let titles = useMemo(() => Object.fromEntries(tools.map((t) => [t.name, t.title])), [tools]), page = { reason: tool && missing[tool.name], selection, navigate, api };
  return runs ? runs.runs.length ? /* @__PURE__ */ jsx(Reading.Provider, { value: reading(run, selection.hosts), children: /* @__PURE__ */ jsxs("div", { class: "app", children: [
    /* @__PURE__ */ jsx(
      TopBar,
      {
        runs,
        run,
        tools,
        missing,
        quality,
        selection,
        navigate,
        help
      }
    ),
    error && /* @__PURE__ */ jsx("p", { class: "banner", role: "alert", children: error.message }),
    /* @__PURE__ */ jsx("main", { children: /* @__PURE__ */ jsx(Titles.Provider, { value: titles, children: /* @__PURE__ */ jsx(Body, { runs, run, page, tool, error: toolsError }) }) }),
    helping && /* @__PURE__ */ jsx(Help, { tool, keys: tool && PAGES[tool.name]?.keys, close: () => setHelping(!1) })
  ] }) }) : /* @__PURE__ */ jsx("main", { class: "app", children: /* @__PURE__ */ jsx(Empty, { runs }) }) : /* @__PURE__ */ jsx("main", { class: "app", children: error ? /* @__PURE__ */ jsx(Failure, { error }) : null });
}

// src/index.tsx
function stylesheet() {
  let link = document.createElement("link");
  return link.rel = "stylesheet", link.href = new URL("style.css", import.meta.url).href, new Promise((resolve) => {
    link.onload = () => resolve(), link.onerror = () => resolve(), document.head.append(link);
  });
}
async function render2() {
  document.title = "Profile", document.documentElement.lang = "en", followTheme(), await stylesheet(), render(/* @__PURE__ */ jsx(App, {}), document.body);
}
export {
  render2 as render
};
