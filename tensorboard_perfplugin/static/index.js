/* perfplugin: built from frontend/ by build.mjs. sources sha256 bc3cf905898de65f52a1c11064ab30570dbec2227e09300b3e306b5ae1a59d9f */
var libraries=(()=>{var Ni=Object.defineProperty;var _c=Object.getOwnPropertyDescriptor;var vc=Object.getOwnPropertyNames;var wc=Object.prototype.hasOwnProperty;var an=(e,t)=>{for(var n in t)Ni(e,n,{get:t[n],enumerable:!0})},yc=(e,t,n,l)=>{if(t&&typeof t=="object"||typeof t=="function")for(let i of vc(t))!wc.call(e,i)&&i!==n&&Ni(e,i,{get:()=>t[i],enumerable:!(l=_c(t,i))||l.enumerable});return e};var bc=e=>yc(Ni({},"__esModule",{value:!0}),e);var Og={};an(Og,{"@dagrejs/dagre":()=>qi,"@tanstack/virtual-core":()=>Xi,preact:()=>os,"preact/hooks":()=>ps,"preact/jsx-runtime":()=>ms,uplot:()=>qs});var qi={};an(qi,{Graph:()=>ft,debug:()=>wo,default:()=>Bh,graphlib:()=>Vi,layout:()=>_o,util:()=>Wh,version:()=>io});/*! dagre
Copyright (c) 2012-2014 Chris Pettitt

Permission is hereby granted, free of charge, to any person obtaining a copy
of this software and associated documentation files (the "Software"), to deal
in the Software without restriction, including without limitation the rights
to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
copies of the Software, and to permit persons to whom the Software is
furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in
all copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN
THE SOFTWARE.
*/var Yr=Object.defineProperty,Ec=(e,t,n)=>t in e?Yr(e,t,{enumerable:!0,configurable:!0,writable:!0,value:n}):e[t]=n,Sc=(e,t)=>{for(var n in t)Yr(e,n,{get:t[n],enumerable:!0})},xc=(e,t,n)=>Ec(e,typeof t!="symbol"?t+"":t,n),Vi={};Sc(Vi,{Graph:()=>ft,alg:()=>Hi});var kc=Object.defineProperty,Ur=(e,t)=>{for(var n in t)kc(e,n,{get:t[n],enumerable:!0})},Wi=class{constructor(e){this._isDirected=!0,this._isMultigraph=!1,this._isCompound=!1,this._nodes={},this._in={},this._preds={},this._out={},this._sucs={},this._edgeObjs={},this._edgeLabels={},this._nodeCount=0,this._edgeCount=0,this._defaultNodeLabelFn=()=>{},this._defaultEdgeLabelFn=()=>{},e&&(this._isDirected="directed"in e?e.directed:!0,this._isMultigraph="multigraph"in e?e.multigraph:!1,this._isCompound="compound"in e?e.compound:!1),this._isCompound&&(this._parent={},this._children={},this._children["\0"]={})}isDirected(){return this._isDirected}isMultigraph(){return this._isMultigraph}isCompound(){return this._isCompound}setGraph(e){return this._label=e,this}graph(){return this._label}setDefaultNodeLabel(e){return typeof e!="function"?this._defaultNodeLabelFn=()=>e:this._defaultNodeLabelFn=e,this}nodeCount(){return this._nodeCount}nodes(){return Object.keys(this._nodes)}sources(){return this.nodes().filter(e=>Object.keys(this._in[e]).length===0)}sinks(){return this.nodes().filter(e=>Object.keys(this._out[e]).length===0)}setNodes(e,t){return e.forEach(n=>{t!==void 0?this.setNode(n,t):this.setNode(n)}),this}setNode(e,t){return e in this._nodes?(arguments.length>1&&(this._nodes[e]=t),this):(this._nodes[e]=arguments.length>1?t:this._defaultNodeLabelFn(e),this._isCompound&&(this._parent[e]="\0",this._children[e]={},this._children["\0"][e]=!0),this._in[e]={},this._preds[e]={},this._out[e]={},this._sucs[e]={},++this._nodeCount,this)}node(e){return this._nodes[e]}hasNode(e){return e in this._nodes}removeNode(e){if(e in this._nodes){let t=n=>this.removeEdge(this._edgeObjs[n]);delete this._nodes[e],this._isCompound&&(this._removeFromParentsChildList(e),delete this._parent[e],this.children(e).forEach(n=>{this.setParent(n)}),delete this._children[e]),Object.keys(this._in[e]).forEach(t),delete this._in[e],delete this._preds[e],Object.keys(this._out[e]).forEach(t),delete this._out[e],delete this._sucs[e],--this._nodeCount}return this}setParent(e,t){if(!this._isCompound)throw new Error("Cannot set parent in a non-compound graph");if(t===void 0)t="\0";else{t+="";for(let n=t;n!==void 0;n=this.parent(n))if(n===e)throw new Error("Setting "+t+" as parent of "+e+" would create a cycle");this.setNode(t)}return this.setNode(e),this._removeFromParentsChildList(e),this._parent[e]=t,this._children[t][e]=!0,this}parent(e){if(this._isCompound){let t=this._parent[e];if(t!=="\0")return t}}children(e="\0"){if(this._isCompound){let t=this._children[e];if(t)return Object.keys(t)}else{if(e==="\0")return this.nodes();if(this.hasNode(e))return[]}return[]}predecessors(e){let t=this._preds[e];if(t)return Object.keys(t)}successors(e){let t=this._sucs[e];if(t)return Object.keys(t)}neighbors(e){let t=this.predecessors(e);if(t){let n=new Set(t),l=this.successors(e);if(l)for(let i of l)n.add(i);return Array.from(n.values())}}isLeaf(e){var t;let n;return this.isDirected()?n=this.successors(e):n=this.neighbors(e),((t=n?.length)!=null?t:0)===0}filterNodes(e){let t=new this.constructor({directed:this._isDirected,multigraph:this._isMultigraph,compound:this._isCompound});t.setGraph(this.graph()),Object.entries(this._nodes).forEach(([i,s])=>{e(i)&&t.setNode(i,s)}),Object.values(this._edgeObjs).forEach(i=>{t.hasNode(i.v)&&t.hasNode(i.w)&&t.setEdge(i,this.edge(i))});let n={},l=i=>{let s=this.parent(i);return!s||t.hasNode(s)?(n[i]=s,s):s in n?n[s]:l(s)};return this._isCompound&&t.nodes().forEach(i=>t.setParent(i,l(i))),t}setDefaultEdgeLabel(e){return typeof e!="function"?this._defaultEdgeLabelFn=()=>e:this._defaultEdgeLabelFn=e,this}edgeCount(){return this._edgeCount}edges(){return Object.values(this._edgeObjs)}setPath(e,t){return e.reduce((n,l)=>(t!==void 0?this.setEdge(n,l,t):this.setEdge(n,l),l)),this}setEdge(e,t,n,l){let i,s,r,o,a=!1;typeof e=="object"&&e!==null&&"v"in e?(i=e.v,s=e.w,r=e.name,arguments.length===2&&(o=t,a=!0)):(i=e,s=t,r=l,arguments.length>2&&(o=n,a=!0)),i=""+i,s=""+s,r!==void 0&&(r=""+r);let c=ol(this._isDirected,i,s,r);if(c in this._edgeLabels)return a&&(this._edgeLabels[c]=o),this;if(r!==void 0&&!this._isMultigraph)throw new Error("Cannot set a named edge when isMultigraph = false");this.setNode(i),this.setNode(s),this._edgeLabels[c]=a?o:this._defaultEdgeLabelFn(i,s,r);let f=Oc(this._isDirected,i,s,r);return i=f.v,s=f.w,Object.freeze(f),this._edgeObjs[c]=f,kr(this._preds[s],i),kr(this._sucs[i],s),this._in[s][c]=f,this._out[i][c]=f,this._edgeCount++,this}edge(e,t,n){let l=arguments.length===1?Li(this._isDirected,e):ol(this._isDirected,e,t,n);return this._edgeLabels[l]}edgeAsObj(e,t,n){let l=arguments.length===1?this.edge(e):this.edge(e,t,n);return typeof l!="object"||l===null?{label:l}:l}hasEdge(e,t,n){return(arguments.length===1?Li(this._isDirected,e):ol(this._isDirected,e,t,n))in this._edgeLabels}removeEdge(e,t,n){let l=arguments.length===1?Li(this._isDirected,e):ol(this._isDirected,e,t,n),i=this._edgeObjs[l];if(i){let s=i.v,r=i.w;delete this._edgeLabels[l],delete this._edgeObjs[l],Or(this._preds[r],s),Or(this._sucs[s],r),delete this._in[r][l],delete this._out[s][l],this._edgeCount--}return this}inEdges(e,t){return this.isDirected()?this.filterEdges(this._in[e],e,t):this.nodeEdges(e,t)}outEdges(e,t){return this.isDirected()?this.filterEdges(this._out[e],e,t):this.nodeEdges(e,t)}nodeEdges(e,t){if(e in this._nodes)return this.filterEdges({...this._in[e],...this._out[e]},e,t)}_removeFromParentsChildList(e){delete this._children[this._parent[e]][e]}filterEdges(e,t,n){if(!e)return;let l=Object.values(e);return n?l.filter(i=>i.v===t&&i.w===n||i.v===n&&i.w===t):l}};function kr(e,t){e[t]?e[t]++:e[t]=1}function Or(e,t){e[t]!==void 0&&!--e[t]&&delete e[t]}function ol(e,t,n,l){let i=""+t,s=""+n;if(!e&&i>s){let r=i;i=s,s=r}return i+""+s+""+(l===void 0?"\0":l)}function Oc(e,t,n,l){let i=""+t,s=""+n;if(!e&&i>s){let o=i;i=s,s=o}let r={v:i,w:s};return l&&(r.name=l),r}function Li(e,t){return ol(e,t.v,t.w,t.name)}var Mc={};Ur(Mc,{read:()=>Ac,write:()=>Tc});function Tc(e){let t={options:{directed:e.isDirected(),multigraph:e.isMultigraph(),compound:e.isCompound()},nodes:Cc(e),edges:Ic(e)},n=e.graph();return n!==void 0&&(t.value=structuredClone(n)),t}function Cc(e){return e.nodes().map(t=>{let n=e.node(t),l=e.parent(t),i={v:t};return n!==void 0&&(i.value=n),l!==void 0&&(i.parent=l),i})}function Ic(e){return e.edges().map(t=>{let n=e.edge(t),l={v:t.v,w:t.w};return t.name!==void 0&&(l.name=t.name),n!==void 0&&(l.value=n),l})}function Ac(e){let t=new Wi(e.options);return e.value!==void 0&&t.setGraph(e.value),e.nodes.forEach(n=>{t.setNode(n.v,n.value),n.parent&&t.setParent(n.v,n.parent)}),e.edges.forEach(n=>{t.setEdge({v:n.v,w:n.w,name:n.name},n.value)}),t}var Hi={};Ur(Hi,{CycleException:()=>Ll,bellmanFord:()=>Kr,components:()=>Pc,dijkstra:()=>Nl,dijkstraAll:()=>Fc,findCycles:()=>zc,floydWarshall:()=>Vc,isAcyclic:()=>Hc,postorder:()=>Gc,preorder:()=>Yc,prim:()=>Uc,shortestPaths:()=>Kc,tarjan:()=>$r,topsort:()=>Jr});var Nc=()=>1;function Kr(e,t,n,l){return Lc(e,String(t),n||Nc,l||function(i){var s;return(s=e.outEdges(i))!=null?s:[]})}function Lc(e,t,n,l){let i={},s,r=0,o=e.nodes(),a=function(d){let m=i[d.v],g=i[d.w];if(!m||!g)return;let y=n(d);m.distance+y<g.distance&&(i[d.w]={distance:m.distance+y,predecessor:d.v},s=!0)},c=function(){o.forEach(function(d){l(d).forEach(function(m){let g=m.v===d?m.v:m.w,y=g===m.v?m.w:m.v;a({v:g,w:y})})})};o.forEach(function(d){let m=d===t?0:Number.POSITIVE_INFINITY;i[d]={distance:m,predecessor:""}});let f=o.length;for(let d=1;d<f&&(s=!1,r++,c(),!!s);d++);if(r===f-1&&(s=!1,c(),s))throw new Error("The graph contains a negative weight cycle");return i}function Pc(e){let t={},n=[],l;function i(s){var r,o;s in t||(t[s]=!0,l.push(s),(r=e.successors(s))==null||r.forEach(i),(o=e.predecessors(s))==null||o.forEach(i))}return e.nodes().forEach(function(s){l=[],i(s),l.length&&n.push(l)}),n}var qr=class{constructor(){this._arr=[],this._keyIndices={}}size(){return this._arr.length}keys(){return this._arr.map(e=>e.key)}has(e){return e in this._keyIndices}priority(e){let t=this._keyIndices[e];if(t!==void 0)return this._arr[t].priority}min(){if(this.size()===0)throw new Error("Queue underflow");return this._arr[0].key}add(e,t){let n=this._keyIndices,l=String(e);if(!(l in n)){let i=this._arr,s=i.length;return n[l]=s,i.push({key:l,priority:t}),this._decrease(s),!0}return!1}removeMin(){if(this.size()===0)throw new Error("Queue underflow");this._swap(0,this._arr.length-1);let e=this._arr.pop();return delete this._keyIndices[e.key],this._heapify(0),e.key}decrease(e,t){let n=this._keyIndices[e];if(n===void 0)throw new Error(`Key not found: ${e}`);let l=this._arr[n].priority;if(t>l)throw new Error(`New priority is greater than current priority. Key: ${e} Old: ${l} New: ${t}`);this._arr[n].priority=t,this._decrease(n)}_heapify(e){let t=this._arr,n=2*e,l=n+1,i=e;n<t.length&&(i=t[n].priority<t[i].priority?n:i,l<t.length&&(i=t[l].priority<t[i].priority?l:i),i!==e&&(this._swap(e,i),this._heapify(i)))}_decrease(e){let t=this._arr,n=t[e].priority,l;for(;e!==0&&(l=e>>1,!(t[l].priority<n));)this._swap(e,l),e=l}_swap(e,t){let n=this._arr,l=this._keyIndices,i=n[e],s=n[t];n[e]=s,n[t]=i,l[s.key]=e,l[i.key]=t}},Dc=()=>1;function Nl(e,t,n,l){let i=function(s){var r;return(r=e.outEdges(s))!=null?r:[]};return Rc(e,String(t),n||Dc,l||i)}function Rc(e,t,n,l){let i={},s=new qr,r,o,a=function(c){let f=c.v!==r?c.v:c.w,d=i[f];if(!d)return;let m=n(c),g=o.distance+m;if(m<0)throw new Error("dijkstra does not allow negative edge weights. Bad edge: "+c+" Weight: "+m);g<d.distance&&(d.distance=g,d.predecessor=r,s.decrease(f,g))};for(e.nodes().forEach(function(c){let f=c===t?0:Number.POSITIVE_INFINITY;i[c]={distance:f,predecessor:""},s.add(c,f)});s.size()>0;){r=s.removeMin();let c=i[r];if(!c||c.distance===Number.POSITIVE_INFINITY)break;o=c,l(r).forEach(a)}return i}function Fc(e,t,n){return e.nodes().reduce(function(l,i){return l[i]=Nl(e,i,t,n),l},{})}function $r(e){let t=0,n=[],l={},i=[];function s(r){var o;let a=l[r]={onStack:!0,lowlink:t,index:t++};if(n.push(r),(o=e.successors(r))==null||o.forEach(function(c){if(c in l){let f=l[c];f!=null&&f.onStack&&(a.lowlink=Math.min(a.lowlink,f.index))}else{s(c);let f=l[c];f&&(a.lowlink=Math.min(a.lowlink,f.lowlink))}}),a.lowlink===a.index){let c=[],f;do{f=n.pop();let d=l[f];d&&(d.onStack=!1),c.push(f)}while(r!==f);i.push(c)}}return e.nodes().forEach(function(r){r in l||s(r)}),i}function zc(e){return $r(e).filter(function(t){var n;let l=t[0];return l?t.length>1||t.length===1&&((n=e.outEdges(l,l))!=null?n:[]).length>0:!1})}var jc=()=>1;function Vc(e,t,n){return Wc(e,t||jc,n||function(l){var i;return(i=e.outEdges(l))!=null?i:[]})}function Wc(e,t,n){let l={},i=e.nodes();return i.forEach(function(s){let r={};l[s]=r,r[s]={distance:0,predecessor:""},i.forEach(function(o){s!==o&&(r[o]={distance:Number.POSITIVE_INFINITY,predecessor:""})}),n(s).forEach(function(o){let a=o.v===s?o.w:o.v,c=t(o);r[a]={distance:c,predecessor:s}})}),i.forEach(function(s){let r=l[s];r&&i.forEach(function(o){let a=l[o];a&&i.forEach(function(c){let f=a[s],d=r[c],m=a[c];if(f&&d&&m){let g=f.distance+d.distance;g<m.distance&&(m.distance=g,m.predecessor=d.predecessor)}})})}),l}var Ll=class extends Error{constructor(e){super(e),this.name="CycleException"}};function Jr(e){let t={},n={},l=[];function i(s){var r;if(s in n)throw new Ll;s in t||(n[s]=!0,t[s]=!0,(r=e.predecessors(s))==null||r.forEach(i),delete n[s],l.push(s))}if(e.sinks().forEach(i),Object.keys(t).length!==e.nodeCount())throw new Ll;return l}function Hc(e){try{Jr(e)}catch(t){if(t instanceof Ll)return!1;throw t}return!0}function Bc(e,t,n,l,i){Array.isArray(t)||(t=[t]);let s=(o=>{var a;return(a=e.isDirected()?e.successors(o):e.neighbors(o))!=null?a:[]}),r={};return t.forEach(function(o){if(!e.hasNode(o))throw new Error("Graph does not have node: "+o);i=Qr(e,o,n==="post",r,s,l,i)}),i}function Qr(e,t,n,l,i,s,r){return t in l||(l[t]=!0,n||(r=s(r,t)),i(t).forEach(function(o){r=Qr(e,o,n,l,i,s,r)}),n&&(r=s(r,t))),r}function Zr(e,t,n){return Bc(e,t,n,function(l,i){return l.push(i),l},[])}function Gc(e,t){return Zr(e,t,"post")}function Yc(e,t){return Zr(e,t,"pre")}function Uc(e,t){var n;let l=new Wi,i={},s=new qr,r;function o(f){let d=f.v===r?f.w:f.v,m=s.priority(d);if(m!==void 0){let g=t(f);g<m&&(i[d]=r,s.decrease(d,g))}}if(e.nodeCount()===0)return l;e.nodes().forEach(function(f){s.add(f,Number.POSITIVE_INFINITY),l.setNode(f)});let a=e.nodes()[0];a!==void 0&&s.decrease(a,0);let c=!1;for(;s.size()>0;){if(r=s.removeMin(),r in i)l.setEdge(r,i[r]);else{if(c)throw new Error("Input graph is not connected: "+e);c=!0}(n=e.nodeEdges(r))==null||n.forEach(o)}return l}function Kc(e,t,n,l){return qc(e,t,n,l??(i=>{var s;return(s=e.outEdges(i))!=null?s:[]}))}function qc(e,t,n,l){if(n===void 0)return Nl(e,t,n,l);let i=!1,s=e.nodes();for(let r=0;r<s.length;r++){let o=s[r];if(o===void 0)continue;let a=l(o);for(let c=0;c<a.length;c++){let f=a[c];if(!f)continue;let d=f.v===o?f.v:f.w,m=d===f.v?f.w:f.v;n({v:d,w:m})<0&&(i=!0)}if(i)return Kr(e,t,n,l)}return Nl(e,t,n,l)}var ft=Wi;function jn(e,t,n,l){let i=l;for(;e.hasNode(i);)i=Gi(l);return n.dummy=t,e.setNode(i,n),i}function $c(e){let t=new ft().setGraph(e.graph());return e.nodes().forEach(n=>t.setNode(n,e.node(n))),e.edges().forEach(n=>{let l=t.edge(n.v,n.w)||{weight:0,minlen:1},i=e.edge(n);t.setEdge(n.v,n.w,{weight:l.weight+i.weight,minlen:Math.max(l.minlen,i.minlen)})}),t}function Xr(e){let t=new ft({multigraph:e.isMultigraph()}).setGraph(e.graph());return e.nodes().forEach(n=>{e.children(n).length||t.setNode(n,e.node(n))}),e.edges().forEach(n=>{t.setEdge(n,e.edge(n))}),t}function Mr(e,t){let n=e.x,l=e.y,i=t.x-n,s=t.y-l,r=e.width/2,o=e.height/2;if(!i&&!s)throw new Error("Not possible to find intersection inside of the rectangle");let a,c;return i===0||Math.abs(s)*r>Math.abs(i)*o?(s<0&&(o=-o),a=o*i/s,c=o):(i<0&&(r=-r),a=r,c=r*s/i),{x:n+a,y:l+c}}function ul(e){let t=al(to(e)+1).map(()=>[]);return e.nodes().forEach(n=>{let l=e.node(n),i=l.rank;i!==void 0&&(t[i]||(t[i]=[]),t[i][l.order]=n)}),t}function Jc(e){let t=e.nodes().map(l=>{let i=e.node(l).rank;return i===void 0?Number.MAX_VALUE:i}),n=Ct(Math.min,t);e.nodes().forEach(l=>{let i=e.node(l);Object.hasOwn(i,"rank")&&(i.rank-=n)})}function Qc(e){let t=e.nodes().map(r=>e.node(r).rank).filter(r=>r!==void 0),n=Ct(Math.min,t),l=[];e.nodes().forEach(r=>{let o=e.node(r).rank-n;l[o]||(l[o]=[]),l[o].push(r)});let i=0,s=e.graph().nodeRankFactor;Array.from(l).forEach((r,o)=>{r===void 0&&o%s!==0?--i:r!==void 0&&i&&r.forEach(a=>e.node(a).rank+=i)})}function Tr(e,t,n,l){let i={width:0,height:0};return arguments.length>=4&&(i.rank=n,i.order=l),jn(e,"border",i,t)}function Zc(e,t=eo){let n=[];for(let l=0;l<e.length;l+=t){let i=e.slice(l,l+t);n.push(i)}return n}var eo=65535;function Ct(e,t){if(t.length>eo){let n=Zc(t);return e(...n.map(l=>e(...l)))}else return e(...t)}function to(e){let t=e.nodes().map(n=>{let l=e.node(n).rank;return l===void 0?Number.MIN_VALUE:l});return Ct(Math.max,t)}function Xc(e,t){let n={lhs:[],rhs:[]};return e.forEach(l=>{t(l)?n.lhs.push(l):n.rhs.push(l)}),n}function no(e,t){let n=Date.now();try{return t()}finally{console.log(e+" time: "+(Date.now()-n)+"ms")}}function Bi(e,t){return t()}var ef=0;function Gi(e){let t=++ef;return e+(""+t)}function al(e,t,n=1){t==null&&(t=e,e=0);let l=s=>s<t;n<0&&(l=s=>t<s);let i=[];for(let s=e;l(s);s+=n)i.push(s);return i}function Pl(e,t){let n={};for(let l of t)e[l]!==void 0&&(n[l]=e[l]);return n}function Dl(e,t){let n;return typeof t=="string"?n=l=>l[t]:n=t,Object.entries(e).reduce((l,[i,s])=>(l[i]=n(s,i),l),{})}function tf(e,t){return e.reduce((n,l,i)=>(n[l]=t[i],n),{})}var Rl="\0";function lo(e,t,n){var l,i,s,r,o,a;if(!(e&&t&&n&&t.dummy==="edge"&&n.dummy==="edge"&&t.edgeObj&&n.edgeObj&&e[t.edgeObj.v]&&e[n.edgeObj.v]&&e[t.edgeObj.w]&&e[n.edgeObj.w]))return 0;let c=!0;t.edgeObj.w===n.edgeObj.w&&(c=!1);let f=c?(i=(l=e[t.edgeObj.v])==null?void 0:l.rank)!=null?i:NaN+1:(r=(s=e[t.edgeObj.w])==null?void 0:s.rank)!=null?r:NaN-1,d=Object.entries(e).find(x=>{var O,k;return((O=x[1].edgeObj)==null?void 0:O.v)===t.edgeObj.v&&((k=x[1].edgeObj)==null?void 0:k.w)===t.edgeObj.w&&x[1].rank===f}),m=Object.entries(e).find(x=>{var O,k;return((O=x[1].edgeObj)==null?void 0:O.v)===n.edgeObj.v&&((k=x[1].edgeObj)==null?void 0:k.w)===n.edgeObj.w&&x[1].rank===f});if(!d||!m)return 0;let g=(o=d[1].order)!=null?o:NaN,y=(a=m[1].order)!=null?a:NaN;return isNaN(g-y)?0:g-y}var io="3.1.3",nf=class{constructor(){xc(this,"_sentinel");let e={};e._next=e._prev=e,this._sentinel=e}dequeue(){let e=this._sentinel,t=e._prev;if(t!==e)return Cr(t),t}enqueue(e){let t=this._sentinel;e._prev&&e._next&&Cr(e),e._next=t._next,t._next._prev=e,t._next=e,e._prev=t}toString(){let e=[],t=this._sentinel,n=t._prev;for(;n!==t;)e.push(JSON.stringify(n,lf)),n=n._prev;return"["+e.join(", ")+"]"}};function Cr(e){e._prev._next=e._next,e._next._prev=e._prev,delete e._next,delete e._prev}function lf(e,t){if(e!=="_next"&&e!=="_prev")return t}var sf=nf,rf=()=>1;function of(e,t){if(e.nodeCount()<=1)return[];let n=uf(e,t||rf);return af(n.graph,n.buckets,n.zeroIdx).flatMap(l=>e.outEdges(l.v,l.w)||[])}function af(e,t,n){var l;let i=[],s=t[t.length-1],r=t[0],o;for(;e.nodeCount();){for(;o=r.dequeue();)Pi(e,t,n,o);for(;o=s.dequeue();)Pi(e,t,n,o);if(e.nodeCount()){for(let a=t.length-2;a>0;--a)if(o=(l=t[a])==null?void 0:l.dequeue(),o){i=i.concat(Pi(e,t,n,o,!0)||[]);break}}}return i}function Pi(e,t,n,l,i){let s=[],r=i?s:void 0;return(e.inEdges(l.v)||[]).forEach(o=>{let a=e.edge(o),c=e.node(o.v);i&&s.push({v:o.v,w:o.w}),c.out-=a,ji(t,n,c)}),(e.outEdges(l.v)||[]).forEach(o=>{let a=e.edge(o),c=o.w,f=e.node(c);f.in-=a,ji(t,n,f)}),e.removeNode(l.v),r}function uf(e,t){let n=new ft,l=0,i=0;e.nodes().forEach(o=>{n.setNode(o,{v:o,in:0,out:0})}),e.edges().forEach(o=>{let a=n.edge(o.v,o.w)||0,c=t(o),f=a+c;n.setEdge(o.v,o.w,f);let d=n.node(o.v),m=n.node(o.w);i=Math.max(i,d.out+=c),l=Math.max(l,m.in+=c)});let s=cf(i+l+3).map(()=>new sf),r=l+1;return n.nodes().forEach(o=>{ji(s,r,n.node(o))}),{graph:n,buckets:s,zeroIdx:r}}function ji(e,t,n){var l,i,s;n.out?n.in?(s=e[n.out-n.in+t])==null||s.enqueue(n):(i=e[e.length-1])==null||i.enqueue(n):(l=e[0])==null||l.enqueue(n)}function cf(e){let t=[];for(let n=0;n<e;n++)t.push(n);return t}function ff(e,t){(e.graph().acyclicer==="greedy"?of(e,n(e)):hf(e,t??null)).forEach(l=>{let i=e.edge(l);e.removeEdge(l),i.forwardName=l.name,i.reversed=!0,e.setEdge(l.w,l.v,i,Gi("rev"))});function n(l){return i=>l.edge(i).weight}}function hf(e,t){let n=[],l={},i={};function s(a){Object.hasOwn(i,a)||(i[a]=!0,l[a]=!0,e.outEdges(a).forEach(c=>{Object.hasOwn(l,c.w)?n.push(c):s(c.w)}),delete l[a])}function r(a){var c;Object.hasOwn(i,a)||(i[a]=!0,l[a]=!0,(c=e.outEdges(a))==null||c.forEach(f=>{var d,m;Object.hasOwn(l,f.w)||((d=t.node(a))==null?void 0:d.rank)>((m=t.node(f.w))==null?void 0:m.rank)&&pf(e,f.w,f)?n.push(f):r(f.w)}),delete l[a])}let o=s;return t&&typeof t.node=="function"&&(o=r),e.sources().forEach(o),e.nodes().forEach(o),n}function df(e){e.edges().forEach(t=>{let n=e.edge(t);if(n.reversed){e.removeEdge(t);let l=n.forwardName;delete n.reversed,delete n.forwardName,e.setEdge(t.w,t.v,n,l)}})}function pf(e,t,n){let l=new Set;function i(s){var r;if(e.sources().includes(s))return!0;l.add(s);for(let o of(r=e.inEdges(s))!=null?r:[])if(!(o.v===n.v&&o.w===n.w)&&!l.has(o.v)&&i(o.v))return!0;return!1}return i(t)}function gf(e){e.graph().dummyChains=[],e.edges().forEach(t=>mf(e,t))}function mf(e,t){let n=t.v,l=e.node(n).rank,i=t.w,s=e.node(i).rank,r=t.name,o=e.edge(t),a=o.labelRank;if(s===l+1)return;e.removeEdge(t);let c,f,d;for(d=0,++l;l<s;++d,++l)o.points=[],f={width:0,height:0,edgeLabel:o,edgeObj:t,rank:l},c=jn(e,"edge",f,"_d"),l===a&&(f.width=o.width,f.height=o.height,f.dummy="edge-label",f.labelpos=o.labelpos),e.setEdge(n,c,{weight:o.weight},r),d===0&&e.graph().dummyChains.push(c),n=c;e.setEdge(n,i,{weight:o.weight},r)}function _f(e){e.graph().dummyChains.forEach(t=>{let n=e.node(t),l=n.edgeLabel,i;for(e.setEdge(n.edgeObj,l);n.dummy;)i=e.successors(t)[0],e.removeNode(t),l.points.push({x:n.x,y:n.y}),n.dummy==="edge-label"&&(l.x=n.x,l.y=n.y,l.width=n.width,l.height=n.height),t=i,n=e.node(t)})}function Yi(e){let t={};function n(l){let i=e.node(l);if(Object.hasOwn(t,l))return i.rank;t[l]=!0;let s=e.outEdges(l),r=s?s.map(a=>a==null?Number.POSITIVE_INFINITY:n(a.w)-e.edge(a).minlen):[],o=Ct(Math.min,r);return o===Number.POSITIVE_INFINITY&&(o=0),i.rank=o}e.sources().forEach(n)}function zn(e,t){return e.node(t.w).rank-e.node(t.v).rank-e.edge(t).minlen}var so=vf;function vf(e){let t=new ft({directed:!1}),n=e.nodes();if(n.length===0)throw new Error("Graph must have at least one node");let l=n[0],i=e.nodeCount();t.setNode(l,{});let s,r;for(;wf(t,e)<i&&(s=yf(t,e),!!s);)r=t.hasNode(s.v)?zn(e,s):-zn(e,s),bf(t,e,r);return t}function wf(e,t){function n(l){let i=t.nodeEdges(l);i&&i.forEach(s=>{let r=s.v,o=l===r?s.w:r;!e.hasNode(o)&&!zn(t,s)&&(e.setNode(o,{}),e.setEdge(l,o,{}),n(o))})}return e.nodes().forEach(n),e.nodeCount()}function yf(e,t){return t.edges().reduce((n,l)=>{let i=Number.POSITIVE_INFINITY;return e.hasNode(l.v)!==e.hasNode(l.w)&&(i=zn(t,l)),i<n[0]?[i,l]:n},[Number.POSITIVE_INFINITY,null])[1]}function bf(e,t,n){e.nodes().forEach(l=>t.node(l).rank+=n)}var{preorder:Ef,postorder:Sf}=Hi,xf=un;un.initLowLimValues=Ki;un.initCutValues=Ui;un.calcCutValue=ro;un.leaveEdge=ao;un.enterEdge=uo;un.exchangeEdges=co;function un(e){e=$c(e),Yi(e);let t=so(e);Ki(t),Ui(t,e);let n,l;for(;n=ao(t);)l=uo(t,e,n),co(t,e,n,l)}function Ui(e,t){let n=Sf(e,e.nodes());n=n.slice(0,n.length-1),n.forEach(l=>kf(e,t,l))}function kf(e,t,n){let l=e.node(n).parent,i=e.edge(n,l);i.cutvalue=ro(e,t,n)}function ro(e,t,n){let l=e.node(n).parent,i=!0,s=t.edge(n,l),r=0;s||(i=!1,s=t.edge(l,n)),r=s.weight;let o=t.nodeEdges(n);return o&&o.forEach(a=>{let c=a.v===n,f=c?a.w:a.v;if(f!==l){let d=c===i,m=t.edge(a).weight;if(r+=d?m:-m,Mf(e,n,f)){let g=e.edge(n,f).cutvalue;r+=d?-g:g}}}),r}function Ki(e,t){arguments.length<2&&(t=e.nodes()[0]),oo(e,{},1,t)}function oo(e,t,n,l,i){let s=n,r=e.node(l);t[l]=!0;let o=e.neighbors(l);return o&&o.forEach(a=>{Object.hasOwn(t,a)||(n=oo(e,t,n,a,l))}),r.low=s,r.lim=n++,i?r.parent=i:delete r.parent,n}function ao(e){return e.edges().find(t=>e.edge(t).cutvalue<0)}function uo(e,t,n){let l=n.v,i=n.w;t.hasEdge(l,i)||(l=n.w,i=n.v);let s=e.node(l),r=e.node(i),o=s,a=!1;return s.lim>r.lim&&(o=r,a=!0),t.edges().filter(c=>a===Ir(e,e.node(c.v),o)&&a!==Ir(e,e.node(c.w),o)).reduce((c,f)=>zn(t,f)<zn(t,c)?f:c)}function co(e,t,n,l){let i=n.v,s=n.w;e.removeEdge(i,s),e.setEdge(l.v,l.w,{}),Ki(e),Ui(e,t),Of(e,t)}function Of(e,t){let n=e.nodes().find(i=>!e.node(i).parent);if(!n)return;let l=Ef(e,[n]);l=l.slice(1),l.forEach(i=>{let s=e.node(i).parent,r=t.edge(i,s),o=!1;r||(r=t.edge(s,i),o=!0),t.node(i).rank=t.node(s).rank+(o?r.minlen:-r.minlen)})}function Mf(e,t,n){return e.hasEdge(t,n)}function Ir(e,t,n){return n.low<=t.lim&&t.lim<=n.lim}var Tf=Cf;function Cf(e){let t=e.graph().ranker;if(typeof t=="function")return t(e);switch(t){case"network-simplex":Ar(e);break;case"tight-tree":Af(e);break;case"longest-path":If(e);break;case"none":break;default:Ar(e)}}var If=Yi;function Af(e){Yi(e),so(e)}function Ar(e){xf(e)}var Nf=Lf;function Lf(e){let t=Df(e),n=e.graph();Array.isArray(n.dummyChains)&&n.dummyChains.forEach(l=>{let i=e.node(l),s=i.edgeObj,r=Pf(e,t,s.v,s.w),o=r.path,a=r.lca,c=0,f=o[c],d=!0;for(;l!==s.w;){if(i=e.node(l),d){for(;(f=o[c])!==a&&e.node(f).maxRank<i.rank;)c++;f===a&&(d=!1)}if(!d){for(;c<o.length-1&&e.node(o[c+1]).minRank<=i.rank;)c++;f=o[c]}f!==void 0&&e.setParent(l,f),l=e.successors(l)[0]}})}function Pf(e,t,n,l){let i=[],s=[],r=Math.min(t[n].low,t[l].low),o=Math.max(t[n].lim,t[l].lim),a;a=n;do a=e.parent(a),i.push(a);while(a&&(t[a].low>r||o>t[a].lim));let c=a,f=l;for(;(f=e.parent(f))!==c;)s.push(f);return{path:i.concat(s.reverse()),lca:c}}function Df(e){let t={},n=0;function l(i){let s=n;e.children(i).forEach(l),t[i]={low:s,lim:n++}}return e.children(Rl).forEach(l),t}function Rf(e){let t=jn(e,"root",{},"_root"),n=Ff(e),l=Object.values(n),i=Ct(Math.max,l)-1,s=2*i+1;e.graph().nestingRoot=t,e.edges().forEach(o=>e.edge(o).minlen*=s);let r=zf(e)+1;e.children(Rl).forEach(o=>{fo(e,t,s,r,i,n,o)}),e.graph().nodeRankFactor=s}function fo(e,t,n,l,i,s,r){var o;let a=e.children(r);if(!a.length){r!==t&&e.setEdge(t,r,{weight:0,minlen:n});return}let c=Tr(e,"_bt"),f=Tr(e,"_bb"),d=e.node(r);e.setParent(c,r),d.borderTop=c,e.setParent(f,r),d.borderBottom=f,a.forEach(m=>{var g;fo(e,t,n,l,i,s,m);let y=e.node(m),x=y.borderTop?y.borderTop:m,O=y.borderBottom?y.borderBottom:m,k=y.borderTop?l:2*l,v=x!==O?1:i-((g=s[r])!=null?g:0)+1;e.setEdge(c,x,{weight:k,minlen:v,nestingEdge:!0}),e.setEdge(O,f,{weight:k,minlen:v,nestingEdge:!0})}),e.parent(r)||e.setEdge(t,c,{weight:0,minlen:i+((o=s[r])!=null?o:0)})}function Ff(e){let t={};function n(l,i){let s=e.children(l);s&&s.length&&s.forEach(r=>n(r,i+1)),t[l]=i}return e.children(Rl).forEach(l=>n(l,1)),t}function zf(e){return e.edges().reduce((t,n)=>t+e.edge(n).weight,0)}function jf(e){let t=e.graph();e.removeNode(t.nestingRoot),delete t.nestingRoot,e.edges().forEach(n=>{e.edge(n).nestingEdge&&e.removeEdge(n)})}var Vf=Wf;function Wf(e){function t(n){let l=e.children(n),i=e.node(n);if(l.length&&l.forEach(t),i&&Object.hasOwn(i,"minRank")){i.borderLeft=[],i.borderRight=[];for(let s=i.minRank,r=i.maxRank+1;s<r;++s)Nr(e,"borderLeft","_bl",n,i,s),Nr(e,"borderRight","_br",n,i,s)}}e.children(Rl).forEach(t)}function Nr(e,t,n,l,i,s){let r={width:0,height:0,rank:s,borderType:t},o=i[t][s-1],a=jn(e,"border",r,n);i[t][s]=a,e.setParent(a,l),o&&e.setEdge(o,a,{weight:1})}function Hf(e){var t;let n=(t=e.graph().rankdir)==null?void 0:t.toLowerCase();(n==="lr"||n==="rl")&&ho(e)}function Bf(e){var t;let n=(t=e.graph().rankdir)==null?void 0:t.toLowerCase();(n==="bt"||n==="rl")&&Gf(e),(n==="lr"||n==="rl")&&(Yf(e),ho(e))}function ho(e){e.nodes().forEach(t=>Lr(e.node(t))),e.edges().forEach(t=>Lr(e.edge(t)))}function Lr(e){let t=e.width;e.width=e.height,e.height=t}function Gf(e){e.nodes().forEach(t=>Di(e.node(t))),e.edges().forEach(t=>{var n;let l=e.edge(t);(n=l.points)==null||n.forEach(Di),Object.hasOwn(l,"y")&&Di(l)})}function Di(e){e.y=-e.y}function Yf(e){e.nodes().forEach(t=>Ri(e.node(t))),e.edges().forEach(t=>{var n;let l=e.edge(t);(n=l.points)==null||n.forEach(Ri),Object.hasOwn(l,"x")&&Ri(l)})}function Ri(e){let t=e.x;e.x=e.y,e.y=t}function Uf(e,t=null){let n={},l=e.nodes().filter(c=>!e.children(c).length),i=l.map(c=>e.node(c).rank),s=Ct(Math.max,i),r=al(s+1).map(()=>[]);function o(c){if(n[c])return;n[c]=!0;let f=e.node(c);r[f.rank].push(c);let d=e.successors(c);d&&[...d].sort((m,g)=>a(m,g)).forEach(o)}l.sort((c,f)=>e.node(c).rank-e.node(f).rank).forEach(o);function a(c,f){let d=e.node(c),m=e.node(f);return lo(t,d,m)}return r}function Kf(e,t){let n=0;for(let l=1;l<t.length;++l)n+=qf(e,t[l-1],t[l]);return n}function qf(e,t,n){let l=tf(n,n.map((c,f)=>f)),i=t.flatMap(c=>{let f=e.outEdges(c);return f?f.map(d=>({pos:l[d.w],weight:e.edge(d).weight})).sort((d,m)=>d.pos-m.pos):[]}),s=1;for(;s<n.length;)s<<=1;let r=2*s-1;s-=1;let o=new Array(r).fill(0),a=0;return i.forEach(c=>{let f=c.pos+s;o[f]+=c.weight;let d=0;for(;f>0;)f%2&&(d+=o[f+1]),f=f-1>>1,o[f]+=c.weight;a+=c.weight*d}),a}function $f(e,t=[]){return t.map(n=>{let l=e.inEdges(n);if(!l||!l.length)return{v:n};{let i=l.reduce((s,r)=>{let o=e.edge(r),a=e.node(r.v);return{sum:s.sum+o.weight*a.order,weight:s.weight+o.weight}},{sum:0,weight:0});return{v:n,barycenter:i.sum/i.weight,weight:i.weight}}})}function Jf(e,t){let n={};e.forEach((i,s)=>{let r={indegree:0,in:[],out:[],vs:[i.v],i:s};i.barycenter!==void 0&&(r.barycenter=i.barycenter,r.weight=i.weight),n[i.v]=r}),t.edges().forEach(i=>{let s=n[i.v],r=n[i.w];s!==void 0&&r!==void 0&&(r.indegree++,s.out.push(r))});let l=Object.values(n).filter(i=>!i.indegree);return Qf(l)}function Qf(e){let t=[];function n(i){return s=>{s.merged||(s.barycenter===void 0||i.barycenter===void 0||s.barycenter>=i.barycenter)&&Zf(i,s)}}function l(i){return s=>{s.in.push(i),--s.indegree===0&&e.push(s)}}for(;e.length;){let i=e.pop();t.push(i),i.in.reverse().forEach(n(i)),i.out.forEach(l(i))}return t.filter(i=>!i.merged).map(i=>Pl(i,["vs","i","barycenter","weight"]))}function Zf(e,t){let n=0,l=0;e.weight&&(n+=e.barycenter*e.weight,l+=e.weight),t.weight&&(n+=t.barycenter*t.weight,l+=t.weight),e.vs=t.vs.concat(e.vs),e.barycenter=n/l,e.weight=l,e.i=Math.min(t.i,e.i),t.merged=!0}function Xf(e,t,n,l,i){let s={},r=null,o=null,a=i;typeof t=="boolean"?(a=t,s={}):t&&(s=t,r=n??null,o=l??null);let c=Xc(e,k=>Object.hasOwn(k,"barycenter")),f=c.lhs,d=c.rhs.sort((k,v)=>v.i-k.i),m=[],g=0,y=0,x=0;f.sort(eh(o,r,!!a));for(let[k,v]of Object.entries(s)){let E=f.findIndex(b=>b.vs[0]===k);f.splice(E+1,0,v)}x=Pr(m,d,x),f.forEach(k=>{x+=k.vs.length,m.push(k.vs),g+=k.barycenter*k.weight,y+=k.weight,x=Pr(m,d,x)});let O={vs:m.flat(1)};return y&&(O.barycenter=g/y,O.weight=y),O}function Pr(e,t,n){let l;for(;t.length&&(l=t[t.length-1]).i<=n;)t.pop(),e.push(l.vs),n++;return n}function eh(e,t,n){return(l,i)=>{if(l.barycenter<i.barycenter)return-1;if(l.barycenter>i.barycenter)return 1;if(e&&(typeof l.vs[0]=="string"||typeof i.vs[0]=="string")){let s=e.node(l.vs[0]),r=e.node(i.vs[0]),o=lo(t,s,r);if(o!==0)return o}return n?i.i-l.i:l.i-i.i}}function po(e,t,n,l,i){var s,r,o,a,c,f,d,m,g,y,x;let O=null,k=i;typeof l=="boolean"?(k=l,O=null):l!==void 0&&(O=l);let v=e.children(t),E=e.node(t),b=E?E.borderLeft:void 0,I=E?E.borderRight:void 0,C={};b&&(v=v.filter(D=>D!==b&&D!==I));let z=$f(e,v);z.forEach(D=>{if(e.children(D.v).length){let{result:A}=po(e,D.v,n,O,k);C[D.v]=A,Object.hasOwn(A,"barycenter")&&nh(D,A)}});let P=Jf(z,n);th(P,C);let W={},j=!1;for(let D=0;D<P.length;D++)for(let A=D+1;A<P.length;A++)if(!(!P[D]||!P[A]||!((s=P[D])!=null&&s.barycenter)||!((r=P[A])!=null&&r.barycenter))&&((o=P[D])==null?void 0:o.barycenter)===P[A].barycenter){let F=(c=(a=P[D])==null?void 0:a.vs[0])!=null?c:"",L=(d=(f=P[A])==null?void 0:f.vs[0])!=null?d:"",U=e.node(F),Y=e.node(L);if(U.dummy==="edge"&&Y.dummy==="edge"&&((m=U.edgeObj)==null?void 0:m.v)===((g=Y.edgeObj)==null?void 0:g.v)&&((y=U.edgeObj)==null?void 0:y.w)===((x=Y.edgeObj)==null?void 0:x.w))if(U.edgeLabel.reversed){W[L]=P[D],P.splice(D,1),D--;break}else W[F]||(W[F]=P[A],P.splice(A,1),A--);else j=!0}let M=Xf(P,W,O,e,k);if(b&&I){M.vs=[b,M.vs,I].flat(1);let D=e.predecessors(b);if(D&&D.length){let A=e.node(D[0]),F=e.predecessors(I),L=e.node(F[0]);Object.hasOwn(M,"barycenter")||(M.barycenter=0,M.weight=0),M.barycenter=(M.barycenter*M.weight+A.order+L.order)/(M.weight+2),M.weight+=2}}return Object.defineProperty(M,"result",{value:M,enumerable:!1,configurable:!0,writable:!0}),Object.defineProperty(M,"usedBias",{value:j,enumerable:!1,configurable:!0,writable:!0}),M}function th(e,t){e.forEach(n=>{n.vs=n.vs.flatMap(l=>t[l]?t[l].vs:l)})}function nh(e,t){e.barycenter!==void 0?(e.barycenter=(e.barycenter*e.weight+t.barycenter*t.weight)/(e.weight+t.weight),e.weight+=t.weight):(e.barycenter=t.barycenter,e.weight=t.weight)}function lh(e,t,n,l){l||(l=e.nodes());let i=ih(e),s=new ft({compound:!0}).setGraph({root:i}).setDefaultNodeLabel(r=>e.node(r));return l.forEach(r=>{let o=e.node(r),a=e.parent(r);if(o.rank===t||o.minRank<=t&&t<=o.maxRank){s.setNode(r),s.setParent(r,a||i);let c=e[n](r);c&&c.forEach(f=>{let d=f.v===r?f.w:f.v,m=s.edge(d,r),g=m!==void 0?m.weight:0;s.setEdge(d,r,{weight:e.edge(f).weight+g})}),Object.hasOwn(o,"minRank")&&s.setNode(r,{borderLeft:o.borderLeft[t],borderRight:o.borderRight[t]})}}),s}function ih(e){let t;for(;e.hasNode(t=Gi("_root")););return t}function sh(e,t,n){let l={},i;n.forEach(s=>{let r=e.parent(s),o,a;for(;r;){if(o=e.parent(r),o?(a=l[o],l[o]=r):(a=i,i=r),a&&a!==r){t.setEdge(a,r);return}r=o}})}function go(e,t={},n=null){if(typeof t.customOrder=="function"){t.customOrder(e,go);return}let l=to(e),i=Dr(e,al(1,l+1),"inEdges"),s=Dr(e,al(l-1,-1,-1),"outEdges"),r=Uf(e,n);if(Rr(e,r),t.disableOptimalOrderHeuristic)return;let o=Number.POSITIVE_INFINITY,a,c=t.constraints||[];for(let f=0,d=0;d<4;++f,++d){rh(f%2?i:s,f%4>=2,c,n),r=ul(e);let m=Kf(e,r);m<o?(d=0,a=Object.assign({},r),o=m):m===o&&(a=structuredClone(r))}Rr(e,a)}function Dr(e,t,n){let l=new Map,i=(s,r)=>{l.has(s)||l.set(s,[]),l.get(s).push(r)};for(let s of e.nodes()){let r=e.node(s);if(typeof r.rank=="number"&&i(r.rank,s),typeof r.minRank=="number"&&typeof r.maxRank=="number")for(let o=r.minRank;o<=r.maxRank;o++)o!==r.rank&&i(o,s)}return t.map(function(s){return lh(e,s,n,l.get(s)||[])})}function rh(e,t,n,l){let i=!0,s=new ft;e.forEach(function(r){n.forEach(f=>s.setEdge(f.left,f.right));let o=r.graph().root,{result:a,usedBias:c}=po(r,o,s,l,i);t&&c&&(i=!i),a.vs.forEach((f,d)=>r.node(f).order=d),sh(r,s,a.vs)})}function Rr(e,t){Object.values(t).forEach(n=>n.forEach((l,i)=>e.node(l).order=i))}function oh(e,t){let n={};function l(i,s){let r=0,o=0,a=i.length,c=s[s.length-1];return s.forEach((f,d)=>{let m=uh(e,f),g=m?e.node(m).order:a;(m||f===c)&&(s.slice(o,d+1).forEach(y=>{let x=e.predecessors(y);x&&x.forEach(O=>{let k=e.node(O),v=k.order;(v<r||g<v)&&!(k.dummy&&e.node(y).dummy)&&mo(n,O,y)})}),o=d+1,r=g)}),s}return t.length&&t.reduce(l),n}function ah(e,t){let n={};function l(r){var o;return((o=e.node(r))==null?void 0:o.dummy)==="border"}if(!e.nodes().some(l))return n;function i(r,o,a,c,f){al(o,a).forEach(d=>{let m=r[d];if(m!==void 0&&e.node(m).dummy){let g=e.predecessors(m);g&&g.forEach(y=>{if(y===void 0)return;let x=e.node(y);x.dummy&&(x.order<c||x.order>f)&&mo(n,y,m)})}})}function s(r,o){let a=-1,c=-1,f=0;return o.forEach((d,m)=>{if(l(d)){let g=e.predecessors(d);if(g&&g.length){let y=g[0];if(y===void 0)return;c=e.node(y).order,i(o,f,m,a,c),f=m,a=c}}i(o,f,o.length,c,r.length)}),o}return t.length&&t.reduce(s),n}function uh(e,t){if(e.node(t).dummy){let n=e.predecessors(t);if(n)return n.find(l=>e.node(l).dummy)}}function mo(e,t,n){if(t>n){let i=t;t=n,n=i}let l=e[t];l||(e[t]=l={}),l[n]=!0}function ch(e,t,n){if(t>n){let i=t;t=n,n=i}let l=e[t];return l!==void 0&&Object.hasOwn(l,n)}function fh(e,t,n,l,i){let s={},r={},o={};return t.forEach(a=>{a.forEach((c,f)=>{s[c]=c,r[c]=c,o[c]=f})}),t.forEach(a=>{let c=-1,f=-1,d=!1,m=a,g=a.findIndex(y=>i?.includes(y)||Fr(y,e,i));g>0&&(m=[a[g],...a.slice(0,g),...a.slice(g+1)],d=!0),m.forEach(y=>{var x;let O=l(y);if(O&&O.length){i!=null&&i.includes(y)&&(O=O.filter(E=>Fr(E,e,i)));let k=O.sort((E,b)=>{let I=o[E],C=o[b];return(I!==void 0?I:0)-(C!==void 0?C:0)}),v=(k.length-1)/2;for(let E=Math.floor(v),b=Math.ceil(v);E<=b;++E){let I=k[E];if(I===void 0)continue;let C=o[I];if(C!==void 0&&r[y]===y&&c<C&&o[I]!==f&&!ch(n,y,I)){let z=s[I];z!==void 0&&(r[I]=y,r[y]=s[y]=z,c=C,d&&(c=-1,f=(x=o[I])!=null?x:-1,d=!1))}}}})}),{root:s,align:r}}function hh(e,t,n,l,i=!1){let s={},r=dh(e,t,n,i),o=i?"borderLeft":"borderRight";function a(g,y){let x=r.nodes().slice(),O={},k=x.pop();for(;k;){if(O[k])g(k);else{O[k]=!0,x.push(k);for(let v of y(k))x.push(v)}k=x.pop()}}function c(g){let y=r.inEdges(g);y?s[g]=y.reduce((x,O)=>{var k;let v=(k=s[O.v])!=null?k:0,E=r.edge(O);return Math.max(x,v+(E!==void 0?E:0))},0):s[g]=0}function f(g){let y=r.outEdges(g),x=Number.POSITIVE_INFINITY;y&&(x=y.reduce((k,v)=>{let E=s[v.w],b=r.edge(v);return Math.min(k,(E!==void 0?E:0)-(b!==void 0?b:0))},Number.POSITIVE_INFINITY));let O=e.node(g);x!==Number.POSITIVE_INFINITY&&O.borderType!==o&&(s[g]=Math.max(s[g]!==void 0?s[g]:0,x))}function d(g){return r.predecessors(g)||[]}function m(g){return r.successors(g)||[]}return a(c,d),a(f,m),Object.keys(l).forEach(g=>{var y;let x=n[g];x!==void 0&&(s[g]=(y=s[x])!=null?y:0)}),s}function dh(e,t,n,l){let i=new ft,s=e.graph(),r=vh(s.nodesep,s.edgesep,l);return t.forEach(o=>{let a;o.forEach(c=>{let f=n[c];if(f!==void 0){if(i.setNode(f),a!==void 0){let d=n[a];if(d!==void 0){let m=i.edge(d,f);i.setEdge(d,f,Math.max(r(e,c,a),m||0))}}a=c}})}),i}function ph(e,t){return Object.values(t).reduce((n,l)=>{let i=Number.NEGATIVE_INFINITY,s=Number.POSITIVE_INFINITY;Object.entries(l).forEach(([o,a])=>{let c=wh(e,o)/2;i=Math.max(a+c,i),s=Math.min(a-c,s)});let r=i-s;return r<n[0]&&(n=[r,l]),n},[Number.POSITIVE_INFINITY,null])[1]}function gh(e,t){let n=Object.values(t),l=Ct(Math.min,n),i=Ct(Math.max,n);["u","d"].forEach(s=>{["l","r"].forEach(r=>{let o=s+r,a=e[o];if(!a||a===t)return;let c=Object.values(a),f=l-Ct(Math.min,c);r!=="l"&&(f=i-Ct(Math.max,c)),f&&(e[o]=Dl(a,d=>d+f))})})}function mh(e,t=void 0){let n=e.ul;return n?Dl(n,(l,i)=>{var s,r;if(t){let a=t.toLowerCase(),c=e[a];if(c&&c[i]!==void 0)return c[i]}let o=Object.values(e).map(a=>{let c=a[i];return c!==void 0?c:0}).sort((a,c)=>a-c);return(((s=o[1])!=null?s:0)+((r=o[2])!=null?r:0))/2}):{}}function _h(e,t){let n=ul(e),l=Object.assign(oh(e,n),ah(e,n)),i={},s;["u","d"].forEach(o=>{s=o==="u"?n:Object.values(n).reverse(),["l","r"].forEach(a=>{a==="r"&&(s=s.map(d=>Object.values(d).reverse()));let c=fh(e,s,l,d=>(o==="u"?e.predecessors(d):e.successors(d))||[],t),f=hh(e,s,c.root,c.align,a==="r");a==="r"&&(f=Dl(f,d=>-d)),i[o+a]=f})});let r=ph(e,i);return gh(i,r),mh(i,e.graph().align)}function vh(e,t,n){return(l,i,s)=>{let r=l.node(i),o=l.node(s),a=0,c;if(a+=r.width/2,Object.hasOwn(r,"labelpos"))switch(r.labelpos.toLowerCase()){case"l":c=-r.width/2;break;case"r":c=r.width/2;break}if(c&&(a+=n?c:-c),c=void 0,a+=(r.dummy?t:e)/2,a+=(o.dummy?t:e)/2,a+=o.width/2,Object.hasOwn(o,"labelpos"))switch(o.labelpos.toLowerCase()){case"l":c=o.width/2;break;case"r":c=-o.width/2;break}return c&&(a+=n?c:-c),a}}function wh(e,t){return e.node(t).width}function Fr(e,t,n){var l;if(!n)return!1;let i=(l=t.node(e))==null?void 0:l.edgeObj;if(!i||t.node(e).edgeLabel.reversed)return!1;let s=n.indexOf(i?.v),r=n.indexOf(i?.w);return s!==-1&&r!==-1&&s===(r+1)%n.length||s===(r-1)%n.length}function yh(e,t){e=Xr(e),bh(e),Object.entries(_h(e,t)).forEach(([n,l])=>e.node(n).x=l)}function bh(e){let t=ul(e),n=e.graph(),l=n.ranksep,i=n.rankalign,s=0;t.forEach(r=>{let o=r.reduce((a,c)=>{var f;let d=(f=e.node(c).height)!=null?f:0;return a>d?a:d},0);r.forEach(a=>{let c=e.node(a);i==="top"?c.y=s+c.height/2:i==="bottom"?c.y=s+o-c.height/2:c.y=s+o/2}),s+=o+l})}var zr=new WeakMap;function _o(e,t={}){return vo(e,Bi,t),e}function jr(e,t,n){let l=t;for(;l!==void 0;){let i=e.parent(l);if(i===n)return l;l=i}}function vo(e,t,n){var l;let i=e.nodes().filter(v=>e.children(v).length),s={};i.forEach(v=>{let E=e.node(v);if(E&&E.rankdir){let b=new ft({multigraph:!0,compound:!0});b.setGraph({rankdir:E.rankdir});let I=e.children(v);I.forEach(F=>{let L={...e.node(F)};b.setNode(F,L);let U=e.parent(F);U&&U!==v&&I.includes(U)&&b.setParent(F,U)});let C=new Set;e.edges().forEach(F=>{let L=jr(e,F.v,v),U=jr(e,F.w,v);if(L===F.v&&U===F.w)b.setEdge(F,{...e.edge(F)});else if(L&&U&&L!==U){let Y=`${L}\0${U}`;C.has(Y)||(C.add(Y),b.setEdge(L,U,{...e.edge(F)}))}}),vo(b,t,n);let z=Gr(b);Wr(z,t,n,null),Hr(b,z);let P=1/0,W=1/0,j=-1/0,M=-1/0;b.nodes().forEach(F=>{if(F===v)return;let L=b.node(F);L&&typeof L.x=="number"&&typeof L.y=="number"&&typeof L.width=="number"&&typeof L.height=="number"&&(P=Math.min(P,L.x-L.width/2),j=Math.max(j,L.x+L.width/2),W=Math.min(W,L.y-L.height/2),M=Math.max(M,L.y+L.height/2))}),(!isFinite(P)||!isFinite(W)||!isFinite(j)||!isFinite(M))&&(P=W=0,j=M=0);let D=j-P,A=M-W;s[v]={minX:P,minY:W,maxX:j,maxY:M,width:D,height:A,offsetX:P,offsetY:W},E._dagreClusterSubgraph=b}});let r=[],o=v=>{let E=[],b=(e.children(v)||[]).filter(I=>I!==v);for(;b.length>0;){let I=b.shift();E.push(I),(e.children(I)||[]).filter(C=>C!==I).forEach(C=>b.push(C))}return E},a=new Map;i.forEach(v=>{let E=e.node(v);E&&E.rankdir&&s[v]&&a.set(v,(e.children(v)||[]).filter(b=>b!==v))});let c=new Set([...a.values()].flat()),f=new Map;a.forEach((v,E)=>{c.has(E)||f.set(E,o(E))});let d=new Set([...f.values()].flat()),m=v=>{for(let[E,b]of f)if(b.includes(v))return E;return v},g=[];e.edges().forEach(v=>{(d.has(v.v)||d.has(v.w))&&g.push({edge:v,label:e.edge(v)})});let y=new Map;d.forEach(v=>{let E=e.parent(v);y.set(v,typeof E=="string"?E:void 0)}),f.forEach((v,E)=>{let b=e.node(E),I=[];v.forEach(P=>{let W=e.node(P);W&&(I.push({id:P,node:W,parent:y.get(P)}),e.removeNode(P))});let C=g.filter(({edge:P})=>v.includes(P.v)||v.includes(P.w)),z=s[E];b&&(r.push({clusterId:E,subgraph:b._dagreClusterSubgraph,bounds:z,children:v,removedNodes:I,removedEdges:C}),b.width=z.width,b.height=z.height)});let x=new Set;g.forEach(({edge:v,label:E})=>{let b=m(v.v),I=m(v.w);if(b!==I&&e.hasNode(b)&&e.hasNode(I)){let C=`${b}\0${I}`;x.has(C)||(x.add(C),e.setEdge(b,I,{...E,width:0,height:0}))}});let O=Gr(e),k=Wr(O,t,n,(l=zr.get(e))!=null?l:null);zr.set(e,k),Hr(e,O),x.forEach(v=>{let E=v.indexOf("\0"),b=v.slice(0,E),I=v.slice(E+1);e.hasEdge(b,I)&&e.removeEdge(b,I)}),r.forEach(({clusterId:v,subgraph:E,bounds:b,removedNodes:I,removedEdges:C})=>{var z,P;let W=e.node(v),j=(z=W?.x)!=null?z:0,M=(P=W?.y)!=null?P:0,D=(b.minX+b.maxX)/2,A=(b.minY+b.maxY)/2;I.forEach(({id:F,node:L,parent:U})=>{e.setNode(F,L),U!==void 0&&e.setParent(F,U)}),C.forEach(({edge:F,label:L})=>{e.setEdge(F,L)}),E.nodes().forEach(F=>{if(F===v)return;let L=E.node(F),U=e.node(F);U&&L&&typeof L.x=="number"&&typeof L.y=="number"&&(U.x=j+(L.x-D),U.y=M+(L.y-A))}),Vr(e,E,j-D,M-A),delete W._dagreClusterSubgraph}),i.forEach(v=>{var E,b;let I=e.node(v),C=s[v];if(I&&I.rankdir&&I._dagreClusterSubgraph&&C){let z=I._dagreClusterSubgraph,P=(E=I.x)!=null?E:0,W=(b=I.y)!=null?b:0,j=(C.minX+C.maxX)/2,M=(C.minY+C.maxY)/2;z.nodes().forEach(D=>{if(D===v)return;let A=z.node(D),F=e.node(D);if(F&&A&&typeof A.x=="number"&&typeof A.y=="number"){let L=A.x-j,U=A.y-M;F.x=P+L,F.y=W+U}}),Vr(e,z,P-j,W-M),delete I._dagreClusterSubgraph}})}function Vr(e,t,n,l){t.edges().forEach(i=>{if(!e.hasEdge(i))return;let s=t.edge(i),r=e.edge(i);r.points=s.points.map(o=>({x:o.x+n,y:o.y+l})),Object.hasOwn(s,"x")&&(r.x=s.x+n,r.y=s.y+l)})}function Wr(e,t,n,l=null){var i,s;let r=n?.useDynamic!==!1,o=r&&(i=l?.graph)!=null?i:null,a=r&&(s=l?.rawNodes)!=null?s:null;t("    makeSpaceForEdgeLabels",()=>Ch(e)),t("    removeSelfEdges",()=>zh(e)),t("    acyclic",()=>ff(e,o)),t("    nestingGraph.run",()=>Rf(e)),t("    rank",()=>Tf(Xr(e))),t("    injectEdgeLabelProxies",()=>Ih(e)),t("    removeEmptyRanks",()=>Qc(e)),t("    nestingGraph.cleanup",()=>jf(e)),t("    normalizeRanks",()=>Jc(e)),t("    assignRankMinMax",()=>Ah(e)),t("    removeEdgeLabelProxies",()=>Nh(e)),t("    normalize.run",()=>gf(e)),t("    parentDummyChains",()=>Nf(e)),t("    addBorderSegments",()=>Vf(e)),t("    order",()=>go(e,n,a)),t("    insertSelfEdges",()=>jh(e)),t("    adjustCoordinateSystem",()=>Hf(e)),t("    position",()=>yh(e,n.corePath)),t("    positionSelfEdges",()=>Vh(e));let c=JSON.parse(JSON.stringify(e._nodes));return t("    removeBorderNodes",()=>Fh(e)),t("    normalize.undo",()=>_f(e)),t("    fixupEdgeLabelCoords",()=>Dh(e)),t("    undoCoordinateSystem",()=>Bf(e)),t("    translateGraph",()=>Lh(e)),t("    assignNodeIntersects",()=>Ph(e)),t("    reversePoints",()=>Rh(e)),t("    acyclic.undo",()=>df(e)),{graph:e,rawNodes:c}}function Hr(e,t){e.nodes().forEach(n=>{let l=e.node(n),i=t.node(n);l&&(l.x=i.x,l.y=i.y,l.order=i.order,l.rank=i.rank,t.children(n).length&&(l.width=i.width,l.height=i.height))}),e.edges().forEach(n=>{let l=e.edge(n),i=t.edge(n);l.points=i.points,Object.hasOwn(i,"x")&&(l.x=i.x,l.y=i.y)}),e.graph().width=t.graph().width,e.graph().height=t.graph().height}var Eh=["nodesep","edgesep","ranksep","marginx","marginy"],Sh={ranksep:50,edgesep:20,nodesep:50,rankdir:"TB",rankalign:"center"},xh=["acyclicer","ranker","rankdir","align","rankalign"],kh=["width","height","rank"],Br={width:0,height:0},Oh=["minlen","weight","width","height","labeloffset"],Mh={minlen:1,weight:1,width:0,height:0,labeloffset:10,labelpos:"r"},Th=["labelpos"];function Gr(e){let t=new ft({multigraph:!0,compound:!0}),n=zi(e.graph());return t.setGraph(Object.assign({},Sh,Fi(n,Eh),Pl(n,xh))),e.nodes().forEach(l=>{let i=zi(e.node(l)),s=Fi(i,kh);Object.keys(Br).forEach(o=>{s[o]===void 0&&(s[o]=Br[o])}),t.setNode(l,s);let r=e.parent(l);r!==void 0&&t.setParent(l,r)}),e.edges().forEach(l=>{let i=zi(e.edge(l));t.setEdge(l,Object.assign({},Mh,Fi(i,Oh),Pl(i,Th)))}),t}function Ch(e){let t=e.graph();t.ranksep/=2,e.edges().forEach(n=>{var l;let i=e.edge(n);i.minlen*=2,((l=i.labelpos)!=null?l:"r").toLowerCase()!=="c"&&(t.rankdir==="TB"||t.rankdir==="BT"?i.width+=i.labeloffset:i.height+=i.labeloffset)})}function Ih(e){e.edges().forEach(t=>{let n=e.edge(t);if(n.width&&n.height){let l=e.node(t.v),i={rank:(e.node(t.w).rank-l.rank)/2+l.rank,e:t};jn(e,"edge-proxy",i,"_ep")}})}function Ah(e){let t=0;e.nodes().forEach(n=>{let l=e.node(n);l.borderTop&&(l.minRank=e.node(l.borderTop).rank,l.maxRank=e.node(l.borderBottom).rank,t=Math.max(t,l.maxRank))}),e.graph().maxRank=t}function Nh(e){e.nodes().forEach(t=>{let n=e.node(t);if(n.dummy==="edge-proxy"){let l=n;e.edge(l.e).labelRank=n.rank,e.removeNode(t)}})}function Lh(e){let t=Number.POSITIVE_INFINITY,n=0,l=Number.POSITIVE_INFINITY,i=0,s=e.graph(),r=s.marginx||0,o=s.marginy||0;function a(c){let f=c.x,d=c.y,m=c.width,g=c.height;t=Math.min(t,f-m/2),n=Math.max(n,f+m/2),l=Math.min(l,d-g/2),i=Math.max(i,d+g/2)}e.nodes().forEach(c=>a(e.node(c))),e.edges().forEach(c=>{let f=e.edge(c);Object.hasOwn(f,"x")&&a(f)}),t-=r,l-=o,e.nodes().forEach(c=>{let f=e.node(c);f.x-=t,f.y-=l}),e.edges().forEach(c=>{let f=e.edge(c);f.points.forEach(d=>{d.x-=t,d.y-=l}),Object.hasOwn(f,"x")&&(f.x-=t),Object.hasOwn(f,"y")&&(f.y-=l)}),s.width=n-t+r,s.height=i-l+o}function Ph(e){e.edges().forEach(t=>{if(t.v===t.w)return;let n=e.edge(t),l=e.node(t.v),i=e.node(t.w),s,r;n.points?(s=n.points[0],r=n.points[n.points.length-1]):(n.points=[],s=i,r=l),n.points.unshift(Mr(l,s)),n.points.push(Mr(i,r))})}function Dh(e){e.edges().forEach(t=>{let n=e.edge(t);if(Object.hasOwn(n,"x"))switch((n.labelpos==="l"||n.labelpos==="r")&&(n.width-=n.labeloffset),n.labelpos){case"l":n.x-=n.width/2+n.labeloffset;break;case"r":n.x+=n.width/2+n.labeloffset;break}})}function Rh(e){e.edges().forEach(t=>{let n=e.edge(t);n.reversed&&n.points.reverse()})}function Fh(e){e.nodes().forEach(t=>{if(e.children(t).length){let n=e.node(t),l=e.node(n.borderTop),i=e.node(n.borderBottom),s=e.node(n.borderLeft[n.borderLeft.length-1]),r=e.node(n.borderRight[n.borderRight.length-1]);n.width=Math.abs(r.x-s.x),n.height=Math.abs(i.y-l.y),n.x=s.x+n.width/2,n.y=l.y+n.height/2}}),e.nodes().forEach(t=>{e.node(t).dummy==="border"&&e.removeNode(t)})}function zh(e){e.edges().forEach(t=>{if(t.v===t.w){let n=e.node(t.v);n.selfEdges||(n.selfEdges=[]),n.selfEdges.push({e:t,label:e.edge(t)}),e.removeEdge(t)}})}function jh(e){ul(e).forEach(t=>{let n=0;t.forEach((l,i)=>{let s=e.node(l);typeof s.rank!="number"&&(s.rank=0),s.order=i+n,(s.selfEdges||[]).forEach(r=>{jn(e,"selfedge",{width:r.label.width,height:r.label.height,rank:s.rank,order:i+ ++n,e:r.e,edgeLabel:r.label},"_se"),(!Array.isArray(r.label.points)||r.label.points.length!==7)&&(r.label.points=[{x:0,y:-10},{x:0,y:-10},{x:0,y:0},{x:0,y:10},{x:0,y:10},{x:0,y:0},{x:0,y:0}])}),delete s.selfEdges})})}function Vh(e){e.nodes().forEach(t=>{let n=e.node(t),l=i=>typeof i=="number"&&isFinite(i);if(n.dummy==="selfedge"){let i=n,s=e.node(i.e.v),r=l(s?.x)?s.x:0,o=l(s?.y)?s.y:0,a=l(s?.width)?s.width:0,c=l(s?.height)?s.height:0,f=l(n.x)?n.x:r,d=l(n.y)?n.y:o,m=a/2,g=c/2;i.edgeLabel.points=[{x:f+m,y:d-g},{x:f+m,y:d-g},{x:f,y:d},{x:f-m,y:d+g},{x:f-m,y:d+g},{x:f,y:d},{x:f,y:d}],i.edgeLabel.x=f,i.edgeLabel.y=d,e.setEdge(i.e,i.edgeLabel),e.removeNode(t)}else n&&Array.isArray(n.selfEdges)&&n.selfEdges.forEach(i=>{if(!Array.isArray(i.label.points)||i.label.points.length!==7){let s=l(n.x)?n.x:0,r=l(n.y)?n.y:0,o=l(n.width)?n.width:0,a=l(n.height)?n.height:0,c=o/2,f=a/2;i.label.points=[{x:s+c,y:r-f},{x:s+c,y:r-f},{x:s,y:r},{x:s-c,y:r+f},{x:s-c,y:r+f},{x:s,y:r},{x:s,y:r}]}})})}function Fi(e,t){return Dl(Pl(e,t),Number)}function zi(e){let t={};return e&&Object.entries(e).forEach(([n,l])=>{typeof n=="string"&&(n=n.toLowerCase()),t[n]=l}),t}function wo(e){let t=ul(e),n=new ft({compound:!0,multigraph:!0}).setGraph({});return e.nodes().forEach(l=>{n.setNode(l,{label:l}),n.setParent(l,"layer"+e.node(l).rank)}),e.edges().forEach(l=>n.setEdge(l.v,l.w,{},l.name)),t.forEach((l,i)=>{let s="layer"+i;n.setNode(s,{rank:"same"}),l.reduce((r,o)=>(n.setEdge(r,o,{style:"invis"}),o))}),n}var Wh={time:no,notime:Bi},Hh={graphlib:Vi,version:io,layout:_o,debug:wo,util:{time:no,notime:Bi}},Bh=Hh;/*! For license information please see dagre.esm.js.LEGAL.txt */var Xi={};an(Xi,{Virtualizer:()=>Zi,_resetIOSDetectionForTests:()=>Mo,approxEqual:()=>It,debounce:()=>$i,defaultKeyExtractor:()=>Ao,defaultRangeExtractor:()=>No,elementScroll:()=>Zh,measureElement:()=>Po,memo:()=>Yt,notUndefined:()=>Fl,observeElementOffset:()=>$h,observeElementRect:()=>Uh,observeWindowOffset:()=>Jh,observeWindowRect:()=>Kh,windowScroll:()=>Qh});function yo(e){return typeof e=="object"?e.key:e}function bo(e,t){let n=e.length;return new Proxy(e,{get(l,i,s){if(typeof i=="string"){let r=i.charCodeAt(0);if(r>=48&&r<=57){let o=+i;if(Number.isInteger(o)&&o>=0&&o<n){let a=l[o];if(typeof a!="object"){let c=t[o*2];a=l[o]={index:o,key:a,start:c,size:t[o*2+1],end:c+t[o*2+1],lane:0}}return a}}if(i==="length")return n}return Reflect.get(l,i,s)}})}function Yt(e,t,n){let l=n.initialDeps??[],i,s=!0;function r(){var o;let c=0,f=e();if(!(f.length!==l.length||f.some((g,y)=>l[y]!==g)))return i;l=f;let m=0;return i=t(...f),n?.onChange&&!(s&&n.skipInitialOnChange)&&n.onChange(i),s=!1,i}return r.updateDeps=o=>{l=o},r}function Fl(e,t){if(e===void 0)throw new Error(`Unexpected undefined${t?`: ${t}`:""}`);return e}var It=(e,t)=>Math.abs(e-t)<1.01,$i=(e,t,n)=>{let l;return Object.assign(function(...i){e.clearTimeout(l),l=e.setTimeout(()=>t.apply(this,i),n)},{cancel:()=>{e.clearTimeout(l)}})};function Eo({offset:e,isScrolling:t,elementMax:n,holdOffset:l,scrollOffset:i,pendingWrite:s,clampedMaxAtWrite:r}){var o;return t&&s===null&&e===i?"spurious":s!==null&&Math.abs(e-s.target)<1.5?"readBack":s!==null&&!s.smooth&&n!==null&&s.target>n+l+.5&&Math.abs(e-(n+l))<1.5||s!==null&&!s.smooth&&((o=s.lowMaxes)!=null&&o.some(a=>Math.abs(e-a)<1.5))?"clampedReadBack":r!==null&&Math.abs(e-r)<1.5?"clampedEcho":"external"}var Gh=e=>e==="smooth"||e==="smoothFinishing";function So({kind:e,offset:t,command:n,target:l}){return e!=="spurious"&&e!=="readBack"&&e!=="clampedReadBack"&&n?.index!=null&&n.phase!=="queued"&&!Gh(n.phase)&&!It(t,n.lastTargetOffset)&&!It(t,l())&&e!=="clampedEcho"}var Ji=40;function xo(e){let t=e[e.length-1];if(t===void 0)return!1;let n=e.length-2;for(;n>=0&&t.t-e[n].t<Ji;)n--;if(n<0)return!1;let l=e[n],i=n-1;for(;i>=0&&l.t-e[i].t<Ji;)i--;if(i<0)return!1;let s=e[i],r=(t.offset-l.offset)/(t.t-l.t),o=(l.offset-s.offset)/(l.t-s.t);return r*o>=0&&Math.abs(r)>=2*Math.abs(o)&&Math.abs(r)-Math.abs(o)>=.8}function ko(e){let t=e[e.length-1];if(t===void 0)return!1;let n=e.length-2;for(;n>=0&&t.t-e[n].t<Ji;)n--;if(n<0)return!1;let l=e[n];return Math.abs(t.offset-l.offset)/(t.t-l.t)>=.05}var Wn,cl=()=>{if(Wn!==void 0)return Wn;if(typeof navigator>"u")return Wn=!1;if(/iP(hone|od|ad)/.test(navigator.userAgent))return Wn=!0;let e=navigator.maxTouchPoints;return Wn=navigator.platform==="MacIntel"&&e!==void 0&&e>0},zl,Yh=()=>zl!==void 0?zl:zl=cl()&&typeof CSS<"u"&&typeof CSS.supports=="function"&&CSS.supports("overflow-anchor: auto"),Oo=()=>!cl()||Yh(),Mo=()=>{Wn=void 0,zl=void 0},Vn={capture:!0,passive:!0},jl=class{constructor(t){this.host=t,this._touch=null,this.inMotion=()=>this._touch!==null&&this._touch.phase!=="lateFling",this.dragging=()=>{var n;return((n=this._touch)==null?void 0:n.phase)==="down"&&this._touch.moved},this.tail=()=>{var n;return((n=this._touch)==null?void 0:n.phase)==="tail"?this._touch.moved?"fling":"tap":null},this.onScroll=({isScrolling:n,ownReadBack:l,moved:i,external:s})=>{var r,o,a;return n&&((r=this._touch)==null?void 0:r.phase)==="tail"?this._openTail(this._touch.moved||!l,!1):((o=this._touch)==null?void 0:o.phase)==="lateFling"&&(this.host.now()>this._touch.until?this._touch=null:s&&n&&i&&this._openTail(!0,!1)),!l&&n&&i&&((a=this._touch)==null?void 0:a.phase)==="down"?(this._touch.moved=!0,!0):!1},this.touchStart=()=>{this.end(),this._touch={phase:"down",moved:!1}},this.touchEnd=()=>{var n;let l=((n=this._touch)==null?void 0:n.phase)==="down"&&this._touch.moved;this.end(),this._openTail(l,l)},this.end=()=>{var n;let l=this.host.getWindow();((n=this._touch)==null?void 0:n.phase)==="tail"&&l!=null&&l.clearTimeout(this._touch.timerId),this._touch=null},this.listen=n=>{let l=()=>this.touchStart(),i=()=>this.touchEnd();return n.addEventListener("touchstart",l,Vn),n.addEventListener("touchend",i,Vn),n.addEventListener("touchcancel",i,Vn),()=>{n.removeEventListener("touchstart",l,Vn),n.removeEventListener("touchend",i,Vn),n.removeEventListener("touchcancel",i,Vn),this.end()}},this._openTail=(n,l)=>{let i=this.host.getWindow();if(i==null)return;this.end();let s={phase:"tail",moved:n,awaitingFling:l,timerId:i.setTimeout(()=>{if(this.host.tailStillMoving()){this._openTail(s.moved,s.awaitingFling);return}this._touch=s.awaitingFling?{phase:"lateFling",until:this.host.now()+1e3}:null,this.host.onTailClosed()},150)};this._touch=s}}get touch(){return this._touch}};var To=e=>{let{clientWidth:t,clientHeight:n}=e;return{width:t,height:n}},Io=e=>{let t=new Set;return{schedule:n=>{let l=e.requestAnimationFrame(()=>{t.delete(l),n()});t.add(l)},cancel:()=>{t.forEach(n=>e.cancelAnimationFrame(n)),t.clear()}}},Ao=e=>e,No=e=>{let t=e.overscan*Math.max(e.lanes??1,1),n=Math.max(e.startIndex-t,0),i=Math.min(e.endIndex+t,e.count-1)-n+1,s=new Array(i);for(let r=0;r<i;r++)s[r]=n+r;return s},Uh=(e,t)=>{let n=e.scrollElement;if(!n)return;let l=e.targetWindow;if(!l)return;let i=o=>{let{width:a,height:c}=o;t({width:Math.round(a),height:Math.round(c)})};if(i(To(n)),!l.ResizeObserver)return()=>{};let s=Io(l),r=new l.ResizeObserver(()=>{let o=()=>{i(To(n))};e.options.useAnimationFrameWithResizeObserver?s.schedule(o):o()});return r.observe(n,{box:"content-box"}),()=>{r.unobserve(n),s.cancel()}},Qi={passive:!0},Kh=(e,t)=>{let n=e.scrollElement;if(!n)return;let l=()=>{t({width:n.innerWidth,height:n.innerHeight})};return l(),n.addEventListener("resize",l,Qi),()=>{n.removeEventListener("resize",l)}},qh=typeof window>"u"?!0:"onscrollend"in window,Lo=(e,t,n)=>{let l=e.scrollElement;if(!l)return;let i=e.targetWindow;if(!i)return;let s=e.options.useScrollendEvent&&qh,r=0,o=s?null:$i(i,()=>t(n(l),!1),e.options.isScrollingResetDelay),a=d=>()=>{r=n(l),o?.(),t(r,d)},c=a(!0),f=a(!1);return l.addEventListener("scroll",c,Qi),s&&l.addEventListener("scrollend",f,Qi),()=>{l.removeEventListener("scroll",c),s&&l.removeEventListener("scrollend",f),o?.cancel()}},$h=(e,t)=>Lo(e,t,n=>{let{horizontal:l,isRtl:i}=e.options;return l?n.scrollLeft*(i&&-1||1):n.scrollTop}),Jh=(e,t)=>Lo(e,t,n=>e.options.horizontal?n.scrollX:n.scrollY),Po=(e,t,n)=>{if(n.options.useCachedMeasurements){let l=n.indexFromElement(e),i=n.options.getItemKey(l);return n.itemSizeCache.get(i)??n.options.estimateSize(l)}if(t?.borderBoxSize){let l=t.borderBoxSize[0];if(l)return Math.round(l[n.options.horizontal?"inlineSize":"blockSize"])}if(!t){let l=n.indexFromElement(e),i=n.options.getItemKey(l),s=n.itemSizeCache.get(i);if(s!==void 0)return s}return e[n.options.horizontal?"offsetWidth":"offsetHeight"]},Do=(e,{adjustments:t=0,behavior:n},l)=>{var i;let{scrollElement:s,options:r}=l,o=e+t,a=r.horizontal&&r.isRtl&&s!==null&&"ownerDocument"in s;(i=s?.scrollTo)==null||i.call(s,{[r.horizontal?"left":"top"]:a?-o:o,behavior:n})},Qh=Do,Zh=Do,Co=(e,t)=>e==="smooth"?t?"smoothLanded":"smooth":"instant",fl=e=>e?.phase==="smooth"||e?.phase==="smoothLanded";function Xh(e,t,n,l){if(t===0)return!1;let i=l(0),s=new Set,r=0;for(;r<e;){let a=n(r);if(a===i)break;s.add(a),r++}let o=e-r;if(o===0||o>=t)return!1;for(let a=0;a<o;a++)if(l(a)!==n(r+a))return!1;for(let a=o;a<t;a++)if(s.has(l(a)))return!1;return!0}var Zi=class{constructor(t){this.unsubs=[],this.scrollElement=null,this.targetWindow=null,this.isScrolling=!1,this.scrollState=null,this.measurementsCache=[],this._singleLaneMeasurements=null,this.itemSizeCache=new Map,this.itemSizeCacheVersion=0,this.laneAssignments=new Map,this.pendingMin=null,this.prevLanes=void 0,this.lanesChangedFlag=!1,this.lanesSettling=!1,this.pendingScrollAnchor=null,this.scrollRect=null,this.scrollOffset=null,this.scrollDirection=null,this._holdOffset=0,this._reportedOverscroll=!1,this._iosGesture=new jl({getWindow:()=>this.targetWindow,now:()=>this.now(),tailStillMoving:()=>{let n=this.scrollState;if(n?.phase!=="queued"||this.pendingWrite!==null)return!1;let l=this._readElementOffset();return l===null||this._lastElementOffset===null||Math.abs(l-this._lastElementOffset)<1?!1:(this._lastElementOffset=l,n.samples=[...n.samples??[],{t:this.now(),offset:l}],!0)},onTailClosed:()=>{let n=this.scrollState;n?.phase==="queued"&&ko(n.samples??[])&&(this.scrollState=null),this._flushHoldIfReady(!0),this._writeAwaitingCommand(),this._retryClampedAdjustment()}}),this._lastElementOffset=null,this.pendingWrite=null,this._clampedAdjustment=null,this.elementsCache=new Map,this._resizeBatch=null,this.now=()=>{var n,l,i;return((i=(l=(n=this.targetWindow)==null?void 0:n.performance)==null?void 0:l.now)==null?void 0:i.call(l))??Date.now()},this.observer=(()=>{let n=null,l=null,i=!1,s=!1,r=new Set,o=()=>{if(n)return n;let c=this.targetWindow;if(!c||!c.ResizeObserver)return null;let f=l=Io(c);return n=new c.ResizeObserver(d=>{let m=()=>{let g={sync:!1};this._resizeBatch=g;try{d.forEach(a)}finally{this._resizeBatch=null,g.notify&&(this.notify(g.sync),this._noteClampMax(),this._flushHoldIfReady(!0),this._retryClampedAdjustment(),this.measureElement(null))}};if(this.options.useAnimationFrameWithResizeObserver)f.schedule(m);else{i=!0;try{m()}finally{i=!1}}})},a=c=>{let f=c.target,d=this.indexFromElement(f);if(!f.isConnected){this.observer.unobserve(f);for(let[m,g]of this.elementsCache)if(g===f){this.elementsCache.delete(m);break}return}this.isIndexInRange(d)&&this.shouldMeasureDuringScroll(d)&&this.resizeItem(d,this.options.measureElement(f,c,this))};return{disconnect:()=>{var c;(c=o())==null||c.disconnect(),l?.cancel(),r.clear(),s=!1,n=null,l=null},observe:c=>{let f=o();if(f){if(!i){f.observe(c,{box:"border-box"});return}r.add(c),s||(s=!0,l?.schedule(()=>{s=!1,r.forEach(d=>{d.isConnected&&n?.observe(d,{box:"border-box"})}),r.clear()}))}},unobserve:c=>{var f;r.delete(c),(f=o())==null||f.unobserve(c)}}})(),this.range=null,this.setOptions=n=>{var l;let i={debug:!1,initialOffset:0,overscan:1,paddingStart:0,paddingEnd:0,scrollPaddingStart:0,scrollPaddingEnd:0,horizontal:!1,getItemKey:Ao,rangeExtractor:No,onChange:()=>{},measureElement:Po,initialRect:{width:0,height:0},scrollMargin:0,gap:0,indexAttribute:"data-index",initialMeasurementsCache:[],lanes:1,anchorTo:"start",followOnAppend:!1,scrollEndThreshold:1,isScrollingResetDelay:150,enabled:!0,isRtl:!1,useScrollendEvent:!1,useAnimationFrameWithResizeObserver:!1,laneAssignmentMode:"estimate",useCachedMeasurements:!1};for(let f in n){let d=n[f];d!==void 0&&(i[f]=d)}let s=this.options,r=null,o=null,a=!1;if(s!==void 0&&s.enabled&&i.enabled&&i.anchorTo==="end"&&this.scrollElement!==null){let f=s.count,d=i.count,m=this.getMeasurements(),g=((l=this._singleLaneMeasurements)==null?void 0:l.items)??m,y=E=>yo(g[E]),x=f>0?y(0):null,O=f>0?y(f-1):null;if(d!==f||f>0&&d>0&&(i.getItemKey(0)!==x||i.getItemKey(d-1)!==O)){a=!0;let E=f>0?this.getVirtualItemForOffset(this.getScrollOffset())??m[0]:null;E&&(r=[E.key,this.getScrollOffset()-E.start]);let b=i.followOnAppend===!0?"auto":i.followOnAppend||null;b&&d>0&&this.isAtEnd(s.scrollEndThreshold)&&(f===0||i.getItemKey(d-1)!==O)&&(d>f||Xh(f,d,y,i.getItemKey))&&(o=b)}}this.options=i,a&&(this.pendingMin=0,this.itemSizeCacheVersion++);let c=null;if(r&&this.scrollOffset!==null&&!this._awaitingCommandReadBack()){let[f,d]=r,m=this.getMeasurements(),{count:g,getItemKey:y}=this.options,x=0;for(;x<g&&y(x)!==f;)x++;if(x<g){let O=m[x];if(O){let k=Math.max(0,O.start+d);!o&&k!==this.scrollOffset&&(c=k-this.scrollOffset,this.scrollOffset=k)}}}o?this.pendingScrollAnchor={kind:"follow",behavior:o}:c!==null&&(this._canWriteScroll()?this.pendingScrollAnchor={kind:"anchor",delta:c}:(this._holdOffset+=c,this._followOffsetTarget(c)))},this.notify=n=>{var l,i;(i=(l=this.options).onChange)==null||i.call(l,this,n)},this.maybeNotify=Yt(()=>(this.calculateRange(),[this.isScrolling,this.range?this.range.startIndex:null,this.range?this.range.endIndex:null]),n=>{this.notify(n)},{key:!1,debug:()=>this.options.debug,initialDeps:[this.isScrolling,this.range?this.range.startIndex:null,this.range?this.range.endIndex:null]}),this.cleanup=()=>{var n;this.unsubs.filter(Boolean).forEach(l=>l()),this.unsubs=[],this.observer.disconnect(),this.rafId!=null&&this.targetWindow&&(this.targetWindow.cancelAnimationFrame(this.rafId),this.rafId=null),this.scrollState=null,(n=this._momentumStop)==null||n.restore(),this._momentumStop=null,this.isScrolling=!1,this.scrollDirection=null,this._holdOffset=0,this._reportedOverscroll=!1,this._clampedAdjustment=null,this.pendingWrite=null,this.scrollElement=null,this.targetWindow=null},this._didMount=()=>()=>{this.cleanup()},this._willUpdate=()=>{var n;let l=this.options.enabled?this.options.getScrollElement():null;if(this.scrollElement!==l){if(this.cleanup(),!l){this.maybeNotify();return}this.scrollElement=l,this.scrollElement&&"ownerDocument"in this.scrollElement?this.targetWindow=this.scrollElement.ownerDocument.defaultView:this.targetWindow=((n=this.scrollElement)==null?void 0:n.window)??null,this.elementsCache.forEach(s=>{this.observer.observe(s)}),this.unsubs.push(this.options.observeElementRect(this,s=>{this.scrollRect=s,this.maybeNotify()})),this.unsubs.push(this.options.observeElementOffset(this,(s,r)=>{var o,a,c,f;let d=r?this._elementMaxScrollOffset():null,m=this._reportedOverscroll;this._reportedOverscroll=s<0||d!==null&&s>d+1;let g=s;this._lastElementOffset=g,s=this._toLayoutOffset(s);let y=this._classifyScrollEvent(s,r,d);if(y==="spurious")return;y==="readBack"?s=this.pendingWrite.target:y==="clampedReadBack"&&((o=this.scrollState)==null?void 0:o.index)!=null&&s<this.getMaxScrollOffset()-1.5?this.scrollState.lastTargetOffset=s:So({kind:y,offset:s,command:this.scrollState,target:()=>this.getScrollStateTarget(this.scrollState)})&&(this.scrollState=null),this.pendingWrite=null,this._clampedAdjustment!==null&&Math.abs(s-this._clampedAdjustment.maxAtWrite)>=1.5&&(this._clampedAdjustment=null);let x=this.getScrollOffset(),O=this.scrollDirection;this.scrollDirection=r?x===s?this.scrollDirection:x<s?"forward":"backward":null,this.scrollOffset=s,this.isScrolling=r;let k=this.scrollState;if(k?.phase==="queued"&&y==="external"&&r)if(m||this._reportedOverscroll)k.samples=[];else{let v=this.now();k.samples=[...(k.samples??[]).filter(E=>v-E.t<=200),{t:v,offset:g}],(O!==null&&this.scrollDirection!==O||xo(k.samples))&&(this.scrollState=null)}this._iosGesture.onScroll({isScrolling:r,ownReadBack:y==="readBack",moved:s!==x,external:y==="external"&&((a=this.scrollState)==null?void 0:a.phase)!=="smooth"&&((c=this.scrollState)==null?void 0:c.phase)!=="smoothFinishing"})&&((f=this.scrollState)==null?void 0:f.phase)==="queued"&&(this.scrollState=null),this._flushHoldIfReady(!0),this.scrollState&&this.scheduleScrollReconcile(),this.maybeNotify()})),"addEventListener"in this.scrollElement&&this.unsubs.push(this._iosGesture.listen(this.scrollElement)),this._scrollToOffset(this.getScrollOffset())}this._noteClampMax();let i=this.pendingScrollAnchor;this.pendingScrollAnchor=null,i&&this.scrollElement&&this.options.enabled&&(i.kind==="anchor"?this._canWriteScroll()?fl(this.scrollState)&&!It(this.getScrollOffset()-i.delta,this.scrollState.lastTargetOffset)||(this._followOffsetTarget(i.delta),this._scrollToOffset(this.getScrollOffset())):(this._holdOffset+=i.delta,this._followOffsetTarget(i.delta),this.notify(!1)):this.scrollToEnd({behavior:i.behavior})),this._flushHoldIfReady(!1),this._retryClampedAdjustment()},this._classifyScrollEvent=(n,l,i)=>{var s;return Eo({offset:n,isScrolling:l,elementMax:i,holdOffset:this._holdOffset,scrollOffset:this.scrollOffset,pendingWrite:this.pendingWrite,clampedMaxAtWrite:((s=this._clampedAdjustment)==null?void 0:s.maxAtWrite)??null})},this._retryClampedAdjustment=()=>{if(this._clampedAdjustment===null||!this.scrollElement||!this.options.enabled||!this._canWriteScroll())return;let{target:n,maxAtWrite:l}=this._clampedAdjustment,i=this.getMaxScrollOffset();i>l+.5&&(this._clampedAdjustment=n>i+.5?{target:n,maxAtWrite:i}:null,this._scrollToOffset(n))},this._writeAwaitingCommand=()=>{let n=this.scrollState;if(n===null||n.phase!=="queued")return;let{behavior:l}=n;this.getMeasurements();let i=this.getScrollStateTarget(n);n.lastTargetOffset=i,this._clampedAdjustment=null,n.phase=Co(l,n.index!=null&&It(i,this.getScrollOffset())),this._scrollToOffset(i,{behavior:l}),this.scheduleScrollReconcile()},this._readElementOffset=()=>{let n=this.scrollElement;if(n==null)return null;let{horizontal:l,isRtl:i}=this.options;return typeof n.scrollTop=="number"?l?n.scrollLeft*(i&&-1||1):n.scrollTop:typeof n.scrollY=="number"?l?n.scrollX:n.scrollY:null},this._canWriteScroll=()=>!(cl()&&this._iosGesture.inMotion())&&!this._reportedOverscroll,this._flushHoldIfReady=n=>{var l;if(this._holdOffset===0||!this.scrollElement||!this.options.enabled||!this._canWriteScroll()||((l=this.scrollState)==null?void 0:l.phase)==="smooth")return;this._holdOffset=0,this.scrollOffset!==null&&this.scrollOffset<0&&(this.scrollOffset=0),this.notify(n);let i=this.getCommandWrittenOffset()??this.getScrollOffset();this._clampedAdjustment=this._clampedBy(i),this._scrollToOffset(i)},this.rafId=null,this.getSize=()=>this.options.enabled?(this.scrollRect=this.scrollRect??this.options.initialRect,this.scrollRect[this.options.horizontal?"width":"height"]):(this.scrollRect=null,0),this.getScrollOffset=()=>this.options.enabled?(this.scrollOffset=this.scrollOffset??(typeof this.options.initialOffset=="function"?this.options.initialOffset():this.options.initialOffset),this.scrollOffset):(this.scrollOffset=null,0),this.getMeasurementOptions=Yt(()=>[this.options.count,this.options.paddingStart,this.options.scrollMargin,this.options.getItemKey,this.options.enabled,this.options.lanes,this.options.laneAssignmentMode,this.options.gap],(n,l,i,s,r,o,a,c)=>(this.prevLanes!==void 0&&this.prevLanes!==o&&(this.lanesChangedFlag=!0),this.prevLanes=o,this.pendingMin=null,{count:n,paddingStart:l,scrollMargin:i,getItemKey:s,enabled:r,lanes:o,laneAssignmentMode:a,gap:c}),{key:!1}),this.isIndexInRange=n=>n>=0&&n<this.options.count,this.getMeasurements=Yt(()=>[this.getMeasurementOptions(),this.itemSizeCacheVersion],({count:n,paddingStart:l,scrollMargin:i,getItemKey:s,enabled:r,lanes:o,laneAssignmentMode:a,gap:c},f)=>{var d;let m=this.itemSizeCache;if(!r)return this.measurementsCache=[],this._singleLaneMeasurements=null,this.itemSizeCache.clear(),this.laneAssignments.clear(),[];if(this.laneAssignments.size>n)for(let v of this.laneAssignments.keys())v>=n&&this.laneAssignments.delete(v);this.lanesChangedFlag&&(this.lanesChangedFlag=!1,this.lanesSettling=!0,this.measurementsCache=[],this._singleLaneMeasurements=null,this.itemSizeCache.clear(),this.laneAssignments.clear(),this.pendingMin=null),this.measurementsCache.length===0&&!this.lanesSettling&&(this.measurementsCache=this.options.initialMeasurementsCache,this.measurementsCache.forEach(v=>{this.itemSizeCache.set(v.key,v.size)}));let g=this.lanesSettling?0:this.pendingMin??0;if(this.pendingMin=null,this.lanesSettling&&this.measurementsCache.length===n&&(this.lanesSettling=!1),o===1){let v=n*2,E=(d=this._singleLaneMeasurements)==null?void 0:d.flat;if(!E||E.length<v){let z=new Float64Array(v);E&&g>0&&z.set(E.subarray(0,g*2)),E=z}let b=g===0?new Array(n):this._singleLaneMeasurements.items.slice(),I;if(g===0)I=l+i;else{let z=g-1;I=E[z*2]+E[z*2+1]+c}for(let z=g;z<n;z++){let P=s(z);b[z]=P;let W=m.get(P),j=typeof W=="number"?W:this.options.estimateSize(z);E[z*2]=I,E[z*2+1]=j,I+=j+c}this._singleLaneMeasurements={flat:E,items:b};let C=bo(b,E);return this.measurementsCache=C,C}let y=this.measurementsCache.slice(0,g),x=new Array(o).fill(void 0),O=new Float64Array(o),k=0;for(let v=0;v<g;v++){let E=y[v];E&&(x[E.lane]===void 0&&k++,x[E.lane]=v,O[E.lane]=E.end)}for(let v=g;v<n;v++){let E=s(v),b=this.laneAssignments.get(v),I,C,z=a==="estimate"||m.has(E);if(b!==void 0&&this.options.lanes>1){I=b;let M=x[I],D=M!==void 0?y[M]:void 0;C=D?D.end+c:l+i}else if(k===o){let M=0,D=O[0],A=x[0];for(let F=1;F<o;F++){let L=O[F];(L<D||L===D&&x[F]<A)&&(M=F,D=L,A=x[F])}I=M,C=D+c,z&&this.laneAssignments.set(v,I)}else I=v%this.options.lanes,C=l+i,z&&this.laneAssignments.set(v,I);let P=m.get(E),W=typeof P=="number"?P:this.options.estimateSize(v),j=C+W;y[v]={index:v,start:C,size:W,end:j,key:E,lane:I},x[I]===void 0&&k++,x[I]=v,O[I]=j}return this.measurementsCache=y,y},{key:!1,debug:()=>this.options.debug}),this.calculateRange=Yt(()=>[this.getMeasurements(),this.getSize(),this.getScrollOffset(),this.options.lanes,this._getLayoutTotalSize()+this.options.scrollMargin],(n,l,i,s,r)=>{if(n.length===0||l===0)return this.range=null,null;let o=Math.max(r-l,0);return this.range=td(n,l,Math.min(i,o),s,s===1&&this._singleLaneMeasurements!==null?this._singleLaneMeasurements.flat:null),this.range},{key:!1,debug:()=>this.options.debug}),this.getVirtualIndexes=Yt(()=>{let n=null,l=null,i=this.calculateRange();return i&&(n=i.startIndex,l=i.endIndex),this.maybeNotify.updateDeps([this.isScrolling,n,l]),[this.options.rangeExtractor,this.options.overscan,this.options.count,n,l,this.options.lanes]},(n,l,i,s,r,o)=>s===null||r===null?[]:n({startIndex:s,endIndex:r,overscan:l,count:i,lanes:o}),{key:!1,debug:()=>this.options.debug}),this.indexFromElement=n=>{let l=this.options.indexAttribute,i=n.getAttribute(l);return i?parseInt(i,10):(console.warn(`Missing attribute name '${l}={index}' on measured element.`),-1)},this.shouldMeasureDuringScroll=n=>{var l;if(!fl(this.scrollState))return!0;let i=this.scrollState.index??((l=this.getVirtualItemForOffset(this.scrollState.lastTargetOffset))==null?void 0:l.index);if(i!==void 0&&this.range){let s=Math.max(this.options.overscan,Math.ceil((this.range.endIndex-this.range.startIndex)/2)),r=Math.max(0,i-s),o=Math.min(this.options.count-1,i+s);return n>=r&&n<=o}return!0},this.measureElement=n=>{if(!n){this.elementsCache.forEach((r,o)=>{r.isConnected||(this.observer.unobserve(r),this.elementsCache.delete(o))});return}let l=this.indexFromElement(n);if(!this.isIndexInRange(l))return;let i=this.options.getItemKey(l),s=this.elementsCache.get(i);s!==n&&(s&&this.observer.unobserve(s),this.observer.observe(n),this.elementsCache.set(i,n)),n.isConnected&&(!this.isScrolling||this.scrollState)&&this.shouldMeasureDuringScroll(l)&&this.resizeItem(l,this.options.measureElement(n,void 0,this))},this.resizeItem=(n,l)=>{var i,s,r;if(!this.isIndexInRange(n))return;(i=this._resizeBatch)!=null&&i.sync&&this.getMeasurements();let o,a,c,f=(s=this._singleLaneMeasurements)==null?void 0:s.flat;if(this.options.lanes===1&&f!=null)c=this.options.getItemKey(n),a=f[n*2],o=f[n*2+1];else{let g=this.measurementsCache[n];if(!g)return;c=g.key,a=g.start,o=g.size}let d=this.itemSizeCache.get(c)??o,m=l-d;if(m!==0){let g=this.options.anchorTo==="end"&&!fl(this.scrollState)&&this.getVirtualDistanceFromEnd()<=this.options.scrollEndThreshold,y=g?this._getLayoutTotalSize():0,x=this.getScrollOffset(),k=!this.itemSizeCache.has(c)?a<x:a+d<=x&&this.scrollDirection!=="backward",v=!fl(this.scrollState)&&(this.shouldAdjustScrollPositionOnItemSizeChange!==void 0?this.shouldAdjustScrollPositionOnItemSizeChange(this.measurementsCache[n]??{index:n,key:c,start:a,size:o,end:a+o,lane:0},m,this):k);(this.pendingMin===null||n<this.pendingMin)&&(this.pendingMin=n),this.itemSizeCache.set(c,l),this.itemSizeCacheVersion++;let E=!1;if(this._awaitingCommandReadBack()||(g?E=this.applyScrollAdjustment(this._getLayoutTotalSize()-y):v&&(E=this.applyScrollAdjustment(m))),this._resizeBatch){this._resizeBatch.notify=!0,(r=this._resizeBatch).sync||(r.sync=E);return}this.notify(E),this._noteClampMax(),this._flushHoldIfReady(!0),this._retryClampedAdjustment()}},this.getVirtualItems=Yt(()=>[this.getVirtualIndexes(),this.getMeasurements(),this._holdOffset],(n,l,i)=>{let s=[];for(let r=0,o=n.length;r<o;r++){let a=n[r],c=l[a];s.push(i===0?c:{...c,start:c.start-i,end:c.end-i})}return s},{key:!1,debug:()=>this.options.debug}),this.getVirtualItemForOffset=n=>{var l;let i=this.getMeasurements();if(i.length===0)return;let s=(l=this._singleLaneMeasurements)==null?void 0:l.flat,r=this.options.lanes===1&&s!=null,o=Ro(0,i.length-1,r?a=>s[a*2]:a=>Fl(i[a]).start,n);return Fl(i[o])},this._noteClampMax=()=>{if(!this._awaitingCommandReadBack())return;let n=this._elementMaxScrollOffset();if(n===null)return;let l=this.pendingWrite,i=Math.max(n,0)+this._holdOffset;if(i>=l.target)return;let s=l.lowMaxes??(l.lowMaxes=[]);s[s.length-1]!==i&&s.push(i)},this.getMaxScrollOffset=()=>(this._elementMaxScrollOffset()??0)+this._holdOffset,this._toLayoutOffset=n=>{var l;let i=n+this._holdOffset;return((l=this.pendingScrollAnchor)==null?void 0:l.kind)==="anchor"&&(i+=this.pendingScrollAnchor.delta),i},this._elementMaxScrollOffset=()=>{let n=this.scrollElement;if(n===null)return null;if("scrollHeight"in n)return this.options.horizontal?n.scrollWidth-n.clientWidth:n.scrollHeight-n.clientHeight;if("document"in n){let l=n.document.documentElement;return this.options.horizontal?l.scrollWidth-n.innerWidth:l.scrollHeight-n.innerHeight}return null},this._momentumStop=null,this._stopMomentum=n=>{let l=this.scrollElement,i=this.targetWindow;if(l===null||i===null)return;let s="document"in l?l.document.scrollingElement:l;if(!s?.style)return;if(this._momentumStop){this._momentumStop.done=n;return}let{style:r}=s,o=this.options.horizontal?"overflow-x":"overflow-y",a=r.getPropertyValue(o),c=r.getPropertyPriority(o),f=()=>this.options.horizontal?s.clientHeight:s.clientWidth,d=f();if(r.setProperty(o,"hidden","important"),f()!==d){r.setProperty(o,a,c);return}let m={restore:()=>r.getPropertyValue(o)!=="hidden"||r.getPropertyPriority(o)!=="important"?!1:(r.setProperty(o,a,c),!0),done:n};this._momentumStop=m,i.requestAnimationFrame(()=>i.requestAnimationFrame(()=>{this._momentumStop===m&&(this._momentumStop=null,m.restore()&&m.done())}))},this._clampedBy=n=>{let l=this._elementMaxScrollOffset();if(l===null)return null;let i=l+this._holdOffset;return n>i+.5?{target:n,maxAtWrite:i}:null},this.getVirtualDistanceFromEnd=()=>Math.max(this._getLayoutTotalSize()+this.options.scrollMargin-this.getSize()-this.getScrollOffset(),0),this.getDistanceFromEnd=()=>Math.max(this.getMaxScrollOffset()-this.getScrollOffset(),0),this.isAtEnd=(n=this.options.scrollEndThreshold)=>this.getDistanceFromEnd()<=n,this.getOffsetForAlignment=(n,l,i=0)=>{if(!this.scrollElement)return 0;let s=this.getSize(),r=this.getScrollOffset();l==="auto"&&(l=n>=r+s?"end":"start"),l==="center"?n+=(i-s)/2:l==="end"&&(n-=s);let o=this.getMaxScrollOffset();return Math.max(Math.min(o,n),0)},this.getOffsetForIndex=(n,l="auto")=>{n=Math.max(0,Math.min(n,this.options.count-1));let i=this.getSize(),s=this.getScrollOffset(),r=this.getMeasurements()[n];if(!r)return;if(l==="auto")if(r.end>=s+i-this.options.scrollPaddingEnd)l="end";else if(r.start<=s+this.options.scrollPaddingStart)l="start";else return[s,l];if(l==="end"&&n===this.options.count-1){let a=this.getMaxScrollOffset(),c=a-this.options.paddingEnd+this.options.scrollPaddingEnd;return[Math.max(Math.min(c,a),0),l]}let o=l==="end"?r.end+this.options.scrollPaddingEnd:r.start-this.options.scrollPaddingStart;return[this.getOffsetForAlignment(o,l,r.size),l]},this.scrollToOffset=(n,{align:l="start",behavior:i="auto"}={})=>{this._startScroll({index:null,align:l},this.getOffsetForAlignment(n,l),i,"absolute")},this.scrollToIndex=(n,{align:l="auto",behavior:i="auto"}={})=>{n=Math.max(0,Math.min(n,this.options.count-1));let s=this.getOffsetForIndex(n,l);if(!s)return;let[r,o]=s;this._startScroll({index:n,align:o},r,i,"absolute")},this.scrollBy=(n,{behavior:l="auto"}={})=>{let i=this.getOffsetForAlignment((this.getCommandWrittenOffset()??this.getScrollOffset())+n,"start");this._startScroll({index:null,align:"start"},i,l,"relative")},this.scrollToEnd=({behavior:n="auto"}={})=>{if(this.options.count>0){this._startScroll({index:this.options.count-1,align:"end",toEnd:!0},Math.max(this.getMaxScrollOffset(),0),n,"absolute");return}this.scrollToOffset(Math.max(this.getTotalSize()-this.getSize(),0),{behavior:n})},this.cancelScroll=()=>{this.rafId!=null&&this.targetWindow&&(this.targetWindow.cancelAnimationFrame(this.rafId),this.rafId=null),this.scrollState=null},this.getTotalSize=()=>Math.max(this._getLayoutTotalSize()-this._holdOffset,0),this._getLayoutTotalSize=()=>{var n,l;let i=this.getMeasurements(),s;if(i.length===0)s=this.options.paddingStart;else if(this.options.lanes===1){let r=i.length-1,o=(n=this._singleLaneMeasurements)==null?void 0:n.flat;o!=null?s=o[r*2]+o[r*2+1]:s=((l=i[r])==null?void 0:l.end)??0}else{let r=Array(this.options.lanes).fill(null),o=i.length-1;for(;o>=0&&r.some(a=>a===null);){let a=i[o];r[a.lane]===null&&(r[a.lane]=a.end),o--}s=Math.max(...r.filter(a=>a!==null))}return Math.max(s-this.options.scrollMargin+this.options.paddingEnd,0)},this.takeSnapshot=()=>{let n=[];if(this.itemSizeCache.size===0)return n;let l=this.getMeasurements();for(let i of l)i&&this.itemSizeCache.has(i.key)&&n.push({index:i.index,key:i.key,start:i.start,size:i.size,end:i.end,lane:i.lane});return n},this._scrollToOffset=(n,{adjustments:l,behavior:i}={})=>{let s={target:n+(l??0),smooth:i==="smooth"};return this.pendingWrite=s,this.options.scrollToFn(n-this._holdOffset,{behavior:i,adjustments:l},this),s},this.getCommandWrittenOffset=()=>this.scrollState!==null&&this.pendingWrite!==null&&!this.pendingWrite.smooth?this.pendingWrite.target:null,this._awaitingCommandReadBack=()=>{let n=this.getCommandWrittenOffset();return!(cl()&&this._iosGesture.dragging())&&n!==null&&!It(n,this.getScrollOffset())},this._followOffsetTarget=n=>{this.scrollState!==null&&this.scrollState.index==null&&(this.scrollState.lastTargetOffset+=n)},this.measure=()=>{this.pendingMin=null,this.itemSizeCache.clear(),this.laneAssignments.clear(),this.itemSizeCacheVersion++,this.notify(!1)},this.setOptions(t)}get scrollAdjustments(){return 0}applyScrollAdjustment(t,n){if(t===0)return!1;if(this._followOffsetTarget(t),this._canWriteScroll()){let l=this.getScrollOffset();this._clampedAdjustment=this._clampedBy(l+t);let i=this._scrollToOffset(l,{adjustments:t,behavior:n});return this.scrollOffset!==null&&(this.pendingWrite===i&&(this.scrollOffset+=t),this.scrollOffset<0&&(this.scrollOffset=0)),!0}else return this._holdOffset+=t,this.scrollOffset!==null&&(this.scrollOffset+=t),!0}scheduleScrollReconcile(){if(!this.targetWindow){this.scrollState=null;return}this.rafId==null&&(this.rafId=this.targetWindow.requestAnimationFrame(()=>{this.rafId=null,this.reconcileScroll()}))}getScrollStateTarget(t){let n=t.toEnd?[Math.max(this.getMaxScrollOffset(),0)]:t.index!=null?this.getOffsetForIndex(t.index,t.align):void 0;return n?n[0]:t.lastTargetOffset}reconcileScroll(){if(!this.scrollState||!this.scrollElement)return;if(this.now()-this.scrollState.startedAt>5e3){this.scrollState=null;return}if(this.scrollState.phase==="queued"){this.scheduleScrollReconcile();return}this.getMeasurements();let l=this.getScrollStateTarget(this.scrollState),i=this.scrollState.index==null?1:this.options.useAnimationFrameWithResizeObserver?3:2,s=l!==this.scrollState.lastTargetOffset;if(!s&&It(l,this.getScrollOffset())){if(this.scrollState.phase==="smooth"?this.scrollState.phase="smoothLanded":this.scrollState.phase==="smoothFinishing"&&(this.scrollState.phase="instant"),this.scrollState.stableFrames++,this.scrollState.stableFrames>=i){this.getScrollOffset()!==l&&this._scrollToOffset(l,{behavior:"auto"}),this.scrollState=null;return}}else if(this.scrollState.stableFrames=0,s){let r=this.getSize()||600,o=Math.abs(l-this.getScrollOffset()),a=fl(this.scrollState)&&o>r;this.scrollState.lastTargetOffset=l,a?this.scrollState.phase="smooth":this.scrollState.phase==="smooth"?this.scrollState.phase="smoothFinishing":this.scrollState.phase==="smoothLanded"&&(this.scrollState.phase="instant"),this._scrollToOffset(l,{behavior:a?"smooth":"auto"})}this.scheduleScrollReconcile()}_startScroll(t,n,l,i){this.pendingScrollAnchor=null,this._clampedAdjustment=null;let s=this._iosGesture.tail();if(i==="absolute"&&s!==null){if(s==="fling"&&Oo()){this._stopMomentum(()=>{let r=this.scrollState;r?.phase!=="queued"||this._iosGesture.tail()!=="fling"||this._reportedOverscroll||(this._iosGesture.end(),this._flushHoldIfReady(!0),this._writeAwaitingCommand())}),this.scrollState={...t,startedAt:this.now(),lastTargetOffset:n,stableFrames:0,phase:"queued",behavior:l,samples:[]},this.scheduleScrollReconcile();return}this._iosGesture.end()}this.scrollState={...t,startedAt:this.now(),lastTargetOffset:n,stableFrames:0,behavior:l,phase:Co(l,t.index!=null&&It(n,this.getScrollOffset()))},this._scrollToOffset(n,{behavior:l}),this.scheduleScrollReconcile()}},Ro=(e,t,n,l)=>{for(;e<=t;){let i=(e+t)/2|0,s=n(i);if(s<l)e=i+1;else if(s>l)t=i-1;else return i}return e>0?e-1:0};function ed(e,t,n){let l=0;for(;l<=t;){let i=(l+t)/2|0,s=e[i*2];if(s<n)l=i+1;else if(s>n)t=i-1;else return i}return l>0?l-1:0}function td(e,t,n,l,i){let s=e.length-1;if(e.length<=l)return{startIndex:0,endIndex:s};if(l===1&&i!==null){let c=ed(i,s,n),f=c,d=n+t;for(;f<s&&i[f*2]+i[f*2+1]<d;)f++;return{startIndex:c,endIndex:f}}let o=Ro(0,s,c=>e[c].start,n),a=o;if(l===1)for(;a<s&&e[a].end<n+t;)a++;else if(l>1){let c=Array(l).fill(0);for(;a<s&&c.some(d=>d<n+t);){let d=e[a];c[d.lane]=d.end,a++}let f=Array(l).fill(n+t);for(;o>=0&&f.some(d=>d>=n);){let d=e[o];f[d.lane]=d.start,o--}o=Math.max(0,o-o%l),a=Math.min(s,a+(l-1-a%l))}return{startIndex:o,endIndex:a}}var os={};an(os,{Component:()=>hl,Fragment:()=>Dt,cloneElement:()=>id,createContext:()=>dd,createElement:()=>ld,createPortal:()=>gd,createRef:()=>sd,h:()=>ld,hydrate:()=>hd,isValidElement:()=>jo,options:()=>le,render:()=>Jo,toChildArray:()=>Ko});var le,zo,jo,Ut,es,Bl,Vo,Wl,Wo,ls,ts,Ho,dl=Symbol.for("pv"),Gl={},Yl=[],nd=/^m(i|n|o|s|text|space)$/,Ul=Array.isArray,Kl=Yl.slice,Kt=Object.assign;function cn(e){e&&e.parentNode&&e.remove()}function ld(e,t,n){var l,i,s,r={},o=arguments.length;for(s in t)s=="key"?l=t[s]:s=="ref"&&typeof e!="function"?i=t[s]:r[s]=t[s];return o>2&&(r.children=o>3?Kl.call(arguments,2):n),fn(e,r,l,i,null)}function id(e,t,n){var l,i,s,r=Kt({},e.props),o=arguments.length;for(s in t)s=="key"?l=t[s]:s=="ref"&&typeof e.type!="function"?i=t[s]:r[s]=t[s];return o>2&&(r.children=o>3?Kl.call(arguments,2):n),fn(e.type,r,l!==void 0?l:e.key,i!==void 0?i:e.ref,null)}function fn(e,t,n,l,i){var s={type:e,props:t,key:n,ref:l,__k:null,__:null,__b:0,__e:null,__c:null,constructor:dl,__v:i||++zo,__i:-1,__u:0};return!i&&le.vnode&&le.vnode(s),s}function sd(){return{current:null}}function Dt(e){return e.children}function hl(e,t){this.props=e,this.context=t,this.__g=0}function qt(e,t){if(t==null)return e.__&&qt(e.__,e.__i+1);for(var n;t<e.__k.length;t++)if((n=e.__k[t])&&n.__e)return n.__e;return typeof e.type!="function"||e.props.__P?null:qt(e)}function rd(e){var t,n=e.__v,l=n.__e,i=[],s=[],r=e.__P;r&&((t=Kt({constructor:dl},n)).__v=n.__v+1,le.vnode&&le.vnode(t),is(r,t,n,e.__n,r.namespaceURI,32&n.__u?[l]:null,i,l||qt(n),32&n.__u,s),t.__v=n.__v,t.__.__k[t.__i]=t,$o(i,t,s),n.__=n.__e=null,t.__e!=l&&Bo(t))}function Bo(e){if((e=e.__)&&e.__c&&!e.props.__P)return e.__e=null,e.__k.some(function(t){return t&&(e.__e=t.__e)}),Bo(e)}function ns(e){(8&e.__g||(e.__g|=8,Ut.push(e),Bl++))&&es==le.debounceRendering||((es=le.debounceRendering)||queueMicrotask)(Go)}function Go(){try{for(var e,t=1;Ut.length;)Ut.length>t&&Ut.sort(Vo),e=Ut.shift(),t=Ut.length,8&e.__g&&rd(e)}finally{(Bl=Ut.length)&&(es||queueMicrotask)(Go)}}function Yo(e,t,n,l,i,s,r,o,a,c,f){var d,m,g,y,x,O,k=l.__k||Yl,v=t.length;for(a=od(n,t,k,a,v),d=0;d<v;d++)(g=n.__k[d])!=null&&(m=~g.__i&&k[g.__i]||Gl,g.__i=d,O=is(e,g,m,i,s,r,o,a,c,f),y=g.__e,(m.ref!=g.ref||8&m.__u)&&(m.ref&&ss(m.ref,null,g,m),g.ref&&f.push(g.ref,g.__c||y,g)),x=x||y,4&g.__u?(a=Uo(g,a,e,!m.__v),m.__e&&(m.__e=null)):typeof g.type=="function"&&O!==void 0?a=O:y&&(a=y.nextSibling),g.__u&=-21);return n.__e=x,a}function od(e,t,n,l,i){var s,r,o,a,c,f,d,m,g,y=n.length,x=y,O=0,k=0,v=e.__k=Array(i);for(s=0;s<i;s++)(r=t[s])!=null&&typeof r!="boolean"&&typeof r!="function"?(typeof r!="object"||r.constructor===String?r=v[s]=fn(null,r):Ul(r)?r=v[s]=fn(Dt,{children:r}):r.constructor===dl&&r.__b?r=v[s]=fn(r.type,r.props,r.key,r.ref,r.__v):v[s]=r,a=s+O,r.__=e,r.__b=e.__b+1,o=null,~(c=r.__i=ad(r,n,a,x))&&(x--,(o=n[c])&&(o.__u|=2)),o&&o.__v?(r.__u|=16,c==a-1?O--:c==a+1?O++:c!=a&&(c>a?O--:O++,k=1)):(~c||(i>y?O--:i<y&&O++),typeof r.type!="function"&&(r.__u|=4))):v[s]=null;if(k){for(f=[],d=[],s=0;s<i;s++)if((r=v[s])&&16&r.__u){for(O=0,m=f.length;O<m;)f[g=O+m>>1]<r.__i?O=g+1:m=g;f[O]=r.__i,d[s]=O+1}for(O=f.length;s--;)d[s]&&(d[s]==O?O--:v[s].__u|=4)}if(x)for(s=0;s<y;s++)!(o=n[s])||2&o.__u||(o.__e==l&&(l=qt(o)),rs(o,o));return l}function Uo(e,t,n,l){var i,s,r,o;if(typeof e.type=="function"){if(e.props.__P)return t;if(i=e.__k)for(s=0;s<i.length;s++)i[s]&&(i[s].__=e,t=Uo(i[s],t,n,!1));return t}for(t&&!t.parentNode&&(t=qt(e))&&!t.parentNode&&(t=null),r=e.__e,o=t;o&&o.nodeType==8;)o=o.nextSibling;for(r!=o&&(!l&&n.moveBefore&&r.parentNode?n.moveBefore(r,t):n.insertBefore(r,t||null)),t=r;(t=t&&t.nextSibling)&&t.nodeType==8&&!t.data.startsWith("$s"););return t}function Ko(e,t){return t=t||[],e!=null&&typeof e!="boolean"&&(Ul(e)?e.some(function(n){Ko(n,t)}):t.push(e)),t}function ad(e,t,n,l){var i,s=e.key,r=e.type,o=t[n],a=o&&!(2&o.__u);if(o===null&&s==null||a&&s==o.key&&r==o.type)return n;if(l>(a?1:0)){for(i=n-1;i>=0;i--)if((o=t[i])&&!(2&o.__u)&&s==o.key&&r==o.type)return i;for(i=n+1;i<t.length;i++)if((o=t[i])&&!(2&o.__u)&&s==o.key&&r==o.type)return i}return-1}function Fo(e,t,n){n==null&&(n=""),t[0]=="-"?e.setProperty(t,n):e[t]=n}function Vl(e,t,n,l,i){var s,r;if(t=="style")if(typeof n=="string")e.style.cssText=n;else{if(typeof l=="string"&&(e.style.cssText=l=""),l)for(t in l)n&&t in n||Fo(e.style,t);if(n)for(t in n)l&&n[t]==l[t]||Fo(e.style,t,n[t])}else if(t[0]=="o"&&t[1]=="n")typeof n!="function"&&(n=null),typeof l!="function"&&(l=null),(e.__e||(e.__e={}))[t]=n,n&&l||(r=ts[t]||(ts[t]=ud(t)),(e.__a||(e.__a={}))[t]=ls,s=t!=(t=t.replace(Wo,"$1")),(t=t.slice(2))[0]<"a"&&(t=t.toLowerCase()),n?e.addEventListener(t,r,s):e.removeEventListener(t,r,s));else{if(i=="http://www.w3.org/2000/svg")t=t.replace(/xlink(H|:h)/,"h").replace(/sName$/,"s");else if(t!="width"&&t!="height"&&t!="href"&&t!="list"&&t!="form"&&t!="tabIndex"&&t!="download"&&t!="rowSpan"&&t!="colSpan"&&t!="role"&&t!="popover"&&t in e)try{return void(e[t]=n??"")}catch{}if(typeof n=="function")return;n==null||n===!1&&t[4]!="-"?e.removeAttribute(t):e.setAttribute(t,t=="popover"&&n==1?"":n)}}function ud(e){return function(t){var n=this.__e;if(n){if(n=n[e],t[Wl]==null)t[Wl]=ls++;else if(t[Wl]<this.__a[e])return;return n(le.event?le.event(t):t)}}}function is(e,t,n,l,i,s,r,o,a,c){var f,d,m,g,y,x,O,k,v,E,b,I,C,z,P,W,j,M,D=t.type;if(t.constructor!==dl)return null;128&n.__u&&(a=32&n.__u,f=n.__c.__z)&&(t.__u|=a,d=s=[],f.nodeType==8?o=Hl(f,s):s.push(f),o=s[0]||o),(f=le.__b)&&f(t);e:if(typeof D=="function"){m=r.length;try{if(k=t.props,v=(f=D.prototype)&&f.render,E=(f=D.contextType)&&l[f.__c],b=f?E?E.props.value:f.__:l,(g=n.__c)?(t.__c=g,2&g.__g&&(g.__g|=1)):(v?t.__c=g=new D(k,b):(t.__c=g=new hl(k,b),g.constructor=D,g.render=fd),E&&E.sub(g),g.state||(g.state={}),g.__n=l,g.__g|=8,g.__h=[],g.__k=[]),v&&(g.__s||(g.__s=g.state),D.getDerivedStateFromProps&&(g.__s==g.state&&(g.__s=Kt({},g.__s)),Kt(g.__s,D.getDerivedStateFromProps(k,g.__s)))),y=g.props,x=g.state,g.__v=t,n.__c){if(k!==y&&v&&!D.getDerivedStateFromProps&&g.componentWillReceiveProps&&g.componentWillReceiveProps(k,b),t.__v==n.__v&&!(8&g.__g)||!(4&g.__g)&&g.shouldComponentUpdate&&g.shouldComponentUpdate(k,g.__s,b)===!1){t.__v!=n.__v&&(g.props=k,g.state=g.__s,g.__g&=-9),t.__e=n.__e,t.__k=n.__k,t.__k.some(function(A){A&&(A.__=t)}),Yl.push.apply(g.__h,g.__k),g.__k=[],g.__h.length&&r.push(g),o=qt(n);break e}g.componentWillUpdate&&g.componentWillUpdate(k,g.__s,b),v&&g.componentDidUpdate&&g.__h.push(function(){g.componentDidUpdate(y,x,O)})}else v&&!D.getDerivedStateFromProps&&g.componentWillMount&&g.componentWillMount(),v&&g.componentDidMount&&g.__h.push(g.componentDidMount);g.context=b,g.props=k,g.__P=e,g.__g&=-5,I=le.__r,C=v?25:0;do g.__g&=-9,I&&I(t),f=g.render(g.props,g.state=g.__s,g.context);while(8&g.__g&&++C<25);v&&(Yl.push.apply(g.__h,g.__k),g.__k=[]),g.state=g.__s,g.getChildContext&&(l=Kt({},l,g.getChildContext())),v&&n.__c&&g.getSnapshotBeforeUpdate&&(O=g.getSnapshotBeforeUpdate(y,x)),z=f&&f.type===Dt&&f.key==null?f.props.children:f,k.__P&&(f=o,i=(e=k.__P).namespaceURI,a=s=null,n.props&&n.props.__P!=e&&(n.__k.some(function(A){A&&rs(A,A)}),n.__k=null),o=n.__k?qt(n,0):null),o=Yo(e,Ul(z)?z:[z],t,n,l,i,s,r,o,a,c),k.__P&&(t.__e=null,o=f),t.__u&=-161,d&&d.some(cn),g.__h.length&&r.push(g),1&g.__g&&(g.__g&=-4)}catch(A){if(r.length=m,t.__v=null,a||s)if(A&&A.then){if(t.__u|=128|a,s){for(~(j=s.indexOf(o||void 0))||(j=s.length);(M=s[j-1])&&M.nodeType==8;)j--;for(;j<s.length;j++)if(M=s[j])if(s[j]=null,P){if(M==W)break}else{if(M.nodeType!=8)break;M.data.startsWith("$s")&&(W=Hl(P=M))}}if(!P){for(;o&&o.nodeType==8&&o.nextSibling;)o=o.nextSibling;P=o}(f=Hl(P=t.__c.__z||(t.__c.__z=P)))?(t.__e=P,o=f):t.__e=o,o=o&&o.nextSibling}else s&&s.some(cn);else t.__e=n.__e;t.__k||(t.__k=n.__k||[]),A&&A.then||qo(t),le.__e(A,t,n)}}else o=t.__e=cd(n.__e,t,n,l,i,s,r,a,c,e);return(f=le.diffed)&&f(t),o}function Hl(e,t){if(e&&e.nodeType==8&&e.data.startsWith("$s"))for(var n=1;e=e.nextSibling;){if(e.nodeType==8){if(e.data.startsWith("$s"))n++;else if(e.data.startsWith("/$s")&&!--n)return e}t&&t.push(e)}}function qo(e){e&&(e.__c&&(e.__c.__g|=4),e.__k&&e.__k.some(qo))}function $o(e,t,n){for(var l=0;l<n.length;)ss(n[l++],n[l++],n[l++]);le.__c&&le.__c(t,e),e.some(function(i){try{e=i.__h,i.__h=[],e.some(function(s){s.call(i)})}catch(s){le.__e(s,i.__v)}})}function cd(e,t,n,l,i,s,r,o,a,c){var f,d,m,g,y,x,O,k,v=n.props||Gl,E=t.props,b=t.type;if(b=="svg"?i="http://www.w3.org/2000/svg":b=="math"?i="http://www.w3.org/1998/Math/MathML":i||(i="http://www.w3.org/1999/xhtml"),s){for(f=0;f<s.length;f++)if((y=s[f])&&(b?y.localName==b:y.nodeType==3)){e=y,s[f]=null;break}}if(!e){if(k=c.ownerDocument||document,!b)return k.createTextNode(E);e=k.createElementNS(i,b,E.is?E:c),o&&(le.__m&&le.__m(t,s),o=!1),s=null}if(b){if(c=b=="template"&&e.content||e,s=b=="textarea"&&E.defaultValue!=null?null:s&&Kl.call(c.childNodes),!o&&s)for(v={},f=0;f<e.attributes.length;f++)v[(y=e.attributes[f]).name]=y.value;for(f in v)y=v[f],f=="dangerouslySetInnerHTML"?m=y:f=="children"||f in E||f=="value"&&"defaultValue"in E||f=="checked"&&"defaultChecked"in E||Vl(e,f,null,y,i);for(f in E)y=E[f],f=="children"?g=y:f=="dangerouslySetInnerHTML"?d=y:f=="value"?x=y:f=="checked"?O=y:o&&typeof y!="function"||v[f]===y||Vl(e,f,y,v[f],i);d?(o||m&&(d.__html==m.__html||d.__html==e.innerHTML)||(e.innerHTML=d.__html),t.__k=[]):(m&&(e.textContent=""),(b=="foreignObject"||i=="http://www.w3.org/1998/Math/MathML"&&nd.test(b))&&(i="http://www.w3.org/1999/xhtml"),Yo(c,Ul(g)?g:[g],t,n,l,i,s,r,s?s[0]:n.__k&&qt(n,0),o,a),s&&s.some(cn)),o&&b!="textarea"||(f="value",b=="progress"&&x==null?e.removeAttribute(f):x==null||x===e[f]&&(b!="progress"||x)||Vl(e,f,x,v[f],i),f="checked",O!=null&&O!=e[f]&&Vl(e,f,O,v[f],i))}else v===E||o&&e.data==E||(e.data=E);return e}function ss(e,t,n,l){try{typeof e=="function"?t?t.__x=e(t)||1:l&&(l=l.__c||l.__e)&&(t=l.__x)&&(l.__x=null,typeof t=="function"?t():e(null)):e.current=t}catch(i){le.__e(i,n)}}function rs(e,t,n){var l,i,s,r;if(le.unmount&&le.unmount(e),!(l=e.ref)||l.current&&l.current!=e.__e||ss(l,null,t,e),l=e.__c){if(l.componentWillUnmount)try{l.componentWillUnmount()}catch(o){le.__e(o,t)}l.__P=l.__n=null}if(l=e.__k)for(r=0;r<l.length;r++)l[r]&&rs(l[r],t,typeof e.type!="function"||n&&!e.props.__P);!n&&(l=e.__c)&&(l=l.__z)&&(i=Hl(l,s=[]))&&(l==e.__e&&s.some(cn),cn(i),cn(l)),n||cn(e.__e),e.__e=e.__c=e.__=null}function fd(e,t,n){return this.constructor(e,n)}function Jo(e,t){var n,l,i,s;le.__&&le.__(e,t),t.nodeType==9&&(t=t.documentElement),l=(n=e&&32&e.__u)?null:t.__k,t.__k=fn(Dt,{children:[e]}),i=[],s=[],is(t,t.__k,l||Gl,Gl,t.namespaceURI,l?null:t.firstChild?Kl.call(t.childNodes):null,i,l?l.__e:t.firstChild,n,s),$o(i,t.__k,s),t.__k.props.children=null}function hd(e,t){e&&typeof e=="object"&&(e.__u|=32),Jo(e,t)}function dd(e){function t(n){var l,i;return this.getChildContext||(l=new Set,(i={})[t.__c]=this,this.getChildContext=function(){return i},this.shouldComponentUpdate=function(s){this.props.value!=s.value&&l.forEach(function(r){r.__g|=4,ns(r)})},this.sub=function(s){l.add(s);var r=s.componentWillUnmount;s.componentWillUnmount=function(){l.delete(s),r&&r.call(s)}}),n.children}return t.__c="__cC"+Ho++,t.__=e,t.Provider=(t.Consumer=function(n,l){return n.children(l)}).contextType=t,t}function pd(e){return e.children}function gd(e,t){return fn(pd,{__P:t,children:e})}le={__e:function(e,t,n,l){for(var i,s,r;t=t.__;)if((i=t.__c)&&!(1&i.__g)){i.__g|=4;try{if((r=(s=i.constructor)&&s.getDerivedStateFromError)&&i.setState(s.getDerivedStateFromError(e)),i.componentDidCatch&&(i.componentDidCatch(e,l||{}),r=1),r&&8&i.__g)return void(i.__g|=2)}catch(o){e=o}}throw Bl=0,e}},zo=0,jo=function(e){return e!=null&&e.constructor===dl},hl.prototype.setState=function(e,t){var n=this.__s;n&&n!=this.state||(n=this.__s=Kt({},this.state)),typeof e=="function"&&(e=e(Kt({},n),this.props)),e&&(Kt(n,e),this.__v&&(t&&this.__k.push(t),ns(this)))},hl.prototype.forceUpdate=function(e){this.__v&&(this.__g|=4,e&&this.__h.push(e),ns(this))},hl.prototype.render=Dt,Ut=[],Bl=0,Vo=function(e,t){return e.__v.__b-t.__v.__b},Wl=Symbol(),Wo=/(PointerCapture)$|Capture$/i,ls=0,ts={},Ho=0;var ps={};an(ps,{useCallback:()=>wd,useContext:()=>yd,useDebugValue:()=>bd,useEffect:()=>md,useErrorBoundary:()=>Ed,useId:()=>Sd,useImperativeHandle:()=>vd,useLayoutEffect:()=>ua,useMemo:()=>hs,useReducer:()=>aa,useRef:()=>_d,useState:()=>oa});var Rt,_e,as,Qo,us=Object.is,Hn=0,ra=[],cs=[],Se=le,Zo=Se.__b,Xo=Se.__r,ea=Se.diffed,ta=Se.__c,na=Se.unmount,la=Se.__;function hn(e,t){Se.__h&&Se.__h(_e,e,Hn||t),Hn=0;var n=_e.__H||(_e.__H={__:[],__h:[]});return e>=n.__.length&&n.__.push({}),n.__[e]}function oa(e){return Hn=1,aa(ca,e)}function aa(e,t,n){var l=hn(Rt++,2);if(l.t=e,!l.__c&&(l.__=[n?n(t):ca(void 0,t),function(s){var r=(l.__N||l.__)[0],o=l.t(r,s);us(r,o)||(l.__N=[o,l.__[1]],l.__c.setState({}))}],l.__c=_e,!_e.__f)){_e.__f=!0;var i=_e.shouldComponentUpdate;_e.shouldComponentUpdate=function(s,r,o){var a=this.__H;if(!a)return!0;var c=!1,f=this.props!=s;if(a.__.some(function(m){m.__N&&(c=!0,us(m.__[0],m.__N[0])||(f=!0))}),i){var d=i.call(this,s,r,o);return c?d||f:d}return!c||f}}return l.__}function md(e,t){var n=hn(Rt++,3);!Se.__s&&ds(n.__H,t)&&(n.__P=!0,n.__=e,n.u=t,_e.__H.__h.push(n))}function ua(e,t){var n=hn(Rt++,4);!Se.__s&&ds(n.__H,t)&&(n.__P=!1,n.__=e,n.u=t,_e.__h.push(n))}function _d(e){return Hn=5,hs(function(){return{current:e}},[])}function vd(e,t,n){Hn=6,ua(function(){if(typeof e=="function"){var l=e(t());return function(){e(null),typeof l=="function"&&l()}}if(e)return e.current=t(),function(){return e.current=null}},n==null?n:n.concat(e))}function hs(e,t){var n=hn(Rt++,7);return ds(n.__H,t)&&(n.__=e(),n.__H=t),n.__}function wd(e,t){return Hn=8,hs(function(){return e},t)}function yd(e){var t=_e.context[e.__c],n=hn(Rt++,9);return n.c=e,t?(n.__==null&&(n.__=!0,t.sub(_e)),t.props.value):e.__}function bd(e,t){Se.useDebugValue&&Se.useDebugValue(t?t(e):e)}function Ed(e){var t=hn(Rt++,10),n=oa();return t.__=e,_e.componentDidCatch||(_e.componentDidCatch=function(l,i){t.__&&t.__(l,i),n[1](l)}),[n[0],function(){return n[1]()}]}function Sd(){var e=hn(Rt++,11);if(!e.__){for(var t=_e.__v;!t.__m&&t.__;)t=t.__;var n=t.__m||(t.__m=[0,0]);e.__="P"+n[0]+"-"+n[1]++}return e.__}function xd(){var e;do{for(;e=cs.shift();)try{pl(e)}catch(n){Se.__e(n,{__:(e=e.__P)&&e.__v})}for(;e=ra.shift();){var t=e.__H;if(e.__P&&t)try{t.__h.some(pl),t.__h.some(fs),t.__h=[]}catch(n){t.__h=[],Se.__e(n,e.__v)}}}while(cs.length)}Se.__b=function(e){_e=null,Zo&&Zo(e)},Se.__=function(e,t){e&&t.__k&&t.__k.__m&&(e.__m=t.__k.__m),la&&la(e,t)},Se.__r=function(e){Xo&&Xo(e),Rt=0;var t=(_e=e.__c).__H;t&&(as==_e?_e.__h=[]:(t.__h.some(pl),t.__h.some(fs),Rt=0),t.__h=[],t.__.some(function(n){n.__N&&(n.__=n.__N),n.u=n.__N=void 0})),as=_e},Se.diffed=function(e){ea&&ea(e);var t=e.__c;t&&t.__H&&(t.__H.__h.length&&sa(ra.push(t)),t.__H.__.some(function(n){n.u&&(n.__H=n.u)})),as=_e=null},Se.__c=function(e,t){t.some(function(n){try{n.__h.some(pl),n.__h=n.__h.filter(function(l){return!l.__||fs(l)})}catch(l){n.__h=[function(){throw l}]}}),ta&&ta(e,t)},Se.unmount=function(e){na&&na(e);var t,n,l=e.__c;l&&l.__H&&(l.__H.__.some(function(i){try{if(i.__P&&i.__c){if(n===void 0){for(n=e.__;n&&(!n.__c||!n.__c.__P);)n=n.__;n=n&&n.__c}i.__P=n,sa(cs.push(i))}else pl(i)}catch(s){t=s}}),l.__H=void 0,t&&Se.__e(t,l.__v))};var ia=typeof requestAnimationFrame=="function";function kd(e){var t,n=function(){clearTimeout(l),ia&&cancelAnimationFrame(t),setTimeout(e)},l=setTimeout(n,35);ia&&(t=requestAnimationFrame(n))}function sa(e){e!=1&&Qo==Se.requestAnimationFrame||((Qo=Se.requestAnimationFrame)||kd)(xd)}function pl(e){var t=_e,n=e.__c;typeof n=="function"&&(e.__c=void 0,n()),_e=t}function fs(e){var t=_e;e.__c=e.__(),_e=t}function ds(e,t){return!e||e.length!=t.length||t.some(function(n,l){return!us(n,e[l])})}function ca(e,t){return typeof t=="function"?t(e):t}var ms={};an(ms,{Fragment:()=>Dt,jsx:()=>da,jsxAttr:()=>Ad,jsxDEV:()=>da,jsxEscape:()=>pa,jsxTemplate:()=>Cd,jsxs:()=>da});var Od=/["&<]/;function gs(e){if(!e.length||!Od.test(e))return e;for(var t=0,n=0,l="",i="";n<e.length;n++){switch(e.charCodeAt(n)){case 34:i="&quot;";break;case 38:i="&amp;";break;case 60:i="&lt;";break;default:continue}n!=t&&(l+=e.slice(t,n)),l+=i,t=n+1}return n!=t&&(l+=e.slice(t,n)),l}var ha=Symbol.for("pv"),Md=0,Td=Array.isArray;function da(e,t,n,l,i,s){t||(t={});var r,o,a=t;if("ref"in a&&typeof e!="function")for(o in a={},t)o=="ref"?r=t[o]:a[o]=t[o];var c={type:e,props:a,key:n,ref:r,__k:null,__:null,__b:0,__e:null,__c:null,constructor:ha,__v:--Md,__i:-1,__u:0};return(i||s)&&(c.__source=i,c.__self=s),le.vnode&&le.vnode(c),c}function Cd(e){var t=da(Dt,{tpl:e,exprs:[].slice.call(arguments,1)});return t.key=t.__v,t}var fa={},Id=/[A-Z]/g;function Ad(e,t){if(le.attr){var n=le.attr(e,t);if(typeof n=="string")return n}if(t=(function(r){return r!=null&&typeof r=="object"&&typeof r.valueOf=="function"?r.valueOf():r})(t),e=="ref"||e=="key")return"";if(e=="style"&&typeof t=="object"){var l="";for(var i in t){var s=t[i];s!=null&&s!==""&&(l=l+(i[0]=="-"?i:fa[i]||(fa[i]=i.replace(Id,"-$&").toLowerCase()))+":"+s+";")}return e+'="'+gs(l)+'"'}return t==null||t===!1||typeof t=="function"||typeof t=="object"?"":t===!0?e:e+'="'+gs(""+t)+'"'}function pa(e){if(e==null||typeof e=="boolean"||typeof e=="function")return null;if(typeof e=="object"){if(e.constructor===ha)return e;if(Td(e)){for(var t=0;t<e.length;t++)e[t]=pa(e[t]);return e}}return gs(""+e)}var qs={};an(qs,{default:()=>We});/*!
* Copyright (c) 2025, Leon Sorokin
* All rights reserved. (MIT Licensed)
*
* uPlot.js (μPlot)
* A small, fast chart for time series, lines, areas, ohlc & bars
*/var Nd="uplot",Ld="u-hz",Pd="u-vt",Dd="u-title",Rd="u-wrap",Fd="u-under",zd="u-over",jd="u-axis",gn="u-off",Vd="u-select",Wd="u-cursor-x",Hd="u-cursor-y",Bd="u-cursor-pt",Gd="u-legend",Yd="u-live",Ud="u-inline",Kd="u-series",qd="u-marker",ga="u-label",$d="u-value",ml="width",_l="height";var ma="bottom",Bn="left",_s="right",Ps="#000",_a=Ps+"0",vs="mousemove",va="mousedown",ws="mouseup",wa="mouseenter",ya="mouseleave",ba="dblclick",Jd="resize",Qd="scroll",Ea="change",Zl="dppxchange",Ds="--",Jn=typeof window<"u",xs=Jn?document:null,Yn=Jn?window:null,Zd=Jn?navigator:null,re,ql;function ks(){let e=devicePixelRatio;re!=e&&(re=e,ql&&Ms(Ea,ql,ks),ql=matchMedia(`(min-resolution: ${re-.001}dppx) and (max-resolution: ${re+.001}dppx)`),mn(Ea,ql,ks),Yn.dispatchEvent(new CustomEvent(Zl)))}function nt(e,t){if(t!=null){let n=e.classList;!n.contains(t)&&n.add(t)}}function Os(e,t){let n=e.classList;n.contains(t)&&n.remove(t)}function ve(e,t,n){e.style[t]=n+"px"}function wt(e,t,n,l){let i=xs.createElement(e);return t!=null&&nt(i,t),n?.insertBefore(i,l),i}function ht(e,t){return wt("div",e,t)}var Sa=new WeakMap;function At(e,t,n,l,i){let s="translate("+t+"px,"+n+"px)",r=Sa.get(e);s!=r&&(e.style.transform=s,Sa.set(e,s),t<0||n<0||t>l||n>i?nt(e,gn):Os(e,gn))}var xa=new WeakMap;function ka(e,t,n){let l=t+n,i=xa.get(e);l!=i&&(xa.set(e,l),e.style.background=t,e.style.borderColor=n)}var Oa=new WeakMap;function Ma(e,t,n,l){let i=t+""+n,s=Oa.get(e);i!=s&&(Oa.set(e,i),e.style.height=n+"px",e.style.width=t+"px",e.style.marginLeft=l?-t/2+"px":0,e.style.marginTop=l?-n/2+"px":0)}var Rs={passive:!0},Xd={...Rs,capture:!0};function mn(e,t,n,l){t.addEventListener(e,n,l?Xd:Rs)}function Ms(e,t,n,l){t.removeEventListener(e,n,Rs)}Jn&&ks();function yt(e,t,n,l){let i;n=n||0,l=l||t.length-1;let s=l<=2147483647;for(;l-n>1;)i=s?n+l>>1:lt((n+l)/2),t[i]<e?n=i:l=i;return e-t[n]<=t[l]-e?n:l}function tu(e){return(n,l,i)=>{let s=-1,r=-1;for(let o=l;o<=i;o++)if(e(n[o])){s=o;break}for(let o=i;o>=l;o--)if(e(n[o])){r=o;break}return[s,r]}}var nu=e=>e!=null,lu=e=>e!=null&&e>0,ti=tu(nu),ep=tu(lu);function tp(e,t,n,l=0,i=!1){let s=i?ep:ti,r=i?lu:nu;[t,n]=s(e,t,n);let o=e[t],a=e[t];if(t>-1)if(l==1)o=e[t],a=e[n];else if(l==-1)o=e[n],a=e[t];else for(let c=t;c<=n;c++){let f=e[c];r(f)&&(f<o?o=f:f>a&&(a=f))}return[o??fe,a??-fe]}function ni(e,t,n,l){let i=Ia(e),s=Ia(t);e==t&&(i==-1?(e*=n,t/=n):(e/=n,t*=n));let r=n==10?Ft:iu,o=i==1?lt:dt,a=s==1?dt:lt,c=o(r(Ae(e))),f=a(r(Ae(t))),d=Un(n,c),m=Un(n,f);return n==10&&(c<0&&(d=he(d,-c)),f<0&&(m=he(m,-f))),l||n==2?(e=d*i,t=m*s):(e=au(e,d),t=li(t,m)),[e,t]}function Fs(e,t,n,l){let i=ni(e,t,n,l);return e==0&&(i[0]=0),t==0&&(i[1]=0),i}var zs=.1,Ta={mode:3,pad:zs},wl={pad:0,soft:null,mode:0},np={min:wl,max:wl};function Xl(e,t,n,l){return ii(n)?Ca(e,t,n):(wl.pad=n,wl.soft=l?0:null,wl.mode=l?3:0,Ca(e,t,np))}function ie(e,t){return e??t}function lp(e,t,n){for(t=ie(t,0),n=ie(n,e.length-1);t<=n;){if(e[t]!=null)return!0;t++}return!1}function Ca(e,t,n){let l=n.min,i=n.max,s=ie(l.pad,0),r=ie(i.pad,0),o=ie(l.hard,-fe),a=ie(i.hard,fe),c=ie(l.soft,fe),f=ie(i.soft,-fe),d=ie(l.mode,0),m=ie(i.mode,0),g=t-e,y=Ft(g),x=Ke(Ae(e),Ae(t)),O=Ft(x),k=Ae(O-y);(g<1e-24||k>10)&&(g=0,(e==0||t==0)&&(g=1e-24,d==2&&c!=fe&&(s=0),m==2&&f!=-fe&&(r=0)));let v=g||x||1e3,E=Ft(v),b=Un(10,lt(E)),I=v*(g==0?e==0?.1:1:s),C=he(au(e-I,b/10),24),z=e>=c&&(d==1||d==3&&C<=c||d==2&&C>=c)?c:fe,P=Ke(o,C<z&&e>=z?z:bt(z,C)),W=v*(g==0?t==0?.1:1:r),j=he(li(t+W,b/10),24),M=t<=f&&(m==1||m==3&&j>=f||m==2&&j<=f)?f:-fe,D=bt(a,j>M&&t<=M?M:Ke(M,j));return P==D&&P==0&&(D=100),[P,D]}var ip=new Intl.NumberFormat(Jn?Zd.language:"en-US"),js=e=>ip.format(e),it=Math,Ql=it.PI,Ae=it.abs,lt=it.floor,Ie=it.round,dt=it.ceil,bt=it.min,Ke=it.max,Un=it.pow,Ia=it.sign,Ft=it.log10,iu=it.log2,sp=(e,t=1)=>it.sinh(e)*t,ys=(e,t=1)=>it.asinh(e/t),fe=1/0;function Aa(e){return(Ft((e^e>>31)-(e>>31))|0)+1}function Ts(e,t,n){return bt(Ke(e,t),n)}function su(e){return typeof e=="function"}function ee(e){return su(e)?e:()=>e}var rp=()=>{},ru=e=>e,ou=(e,t)=>t,op=e=>null,Na=e=>!0,La=(e,t)=>e==t,ap=/\.\d*?(?=9{6,}|0{6,})/gm,_n=e=>{if(cu(e)||Jt.has(e))return e;let t=`${e}`,n=t.match(ap);if(n==null)return e;let l=n[0].length-1;if(t.indexOf("e-")!=-1){let[i,s]=t.split("e");return+`${_n(i)}e${s}`}return he(e,l)};function dn(e,t){return _n(he(_n(e/t))*t)}function li(e,t){return _n(dt(_n(e/t))*t)}function au(e,t){return _n(lt(_n(e/t))*t)}function he(e,t=0){if(cu(e))return e;let n=10**t,l=e*n*(1+Number.EPSILON);return Ie(l)/n}var Jt=new Map;function uu(e){return((""+e).split(".")[1]||"").length}function bl(e,t,n,l){let i=[],s=l.map(uu);for(let r=t;r<n;r++){let o=Ae(r),a=he(Un(e,r),o);for(let c=0;c<l.length;c++){let f=e==10?+`${l[c]}e${r}`:l[c]*a,d=(r>=0?0:o)+(r>=s[c]?0:s[c]),m=e==10?f:he(f,d);i.push(m),Jt.set(m,d)}}return i}var yl={},Vs=[],Kn=[null,null],$t=Array.isArray,cu=Number.isInteger,up=e=>e===void 0;function Pa(e){return typeof e=="string"}function ii(e){let t=!1;if(e!=null){let n=e.constructor;t=n==null||n==Object}return t}function cp(e){return e!=null&&typeof e=="object"}var fp=Object.getPrototypeOf(Uint8Array),fu="__proto__";function qn(e,t=ii){let n;if($t(e)){let l=e.find(i=>i!=null);if($t(l)||t(l)){n=Array(e.length);for(let i=0;i<e.length;i++)n[i]=qn(e[i],t)}else n=e.slice()}else if(e instanceof fp)n=e.slice();else if(t(e)){n={};for(let l in e)l!=fu&&(n[l]=qn(e[l],t))}else n=e;return n}function Me(e){let t=arguments;for(let n=1;n<t.length;n++){let l=t[n];for(let i in l)i!=fu&&(ii(e[i])?Me(e[i],qn(l[i])):e[i]=qn(l[i]))}return e}var hp=0,dp=1,pp=2;function gp(e,t,n){for(let l=0,i,s=-1;l<t.length;l++){let r=t[l];if(r>s){for(i=r-1;i>=0&&e[i]==null;)e[i--]=null;for(i=r+1;i<n&&e[i]==null;)e[s=i++]=null}}}function mp(e,t){if(wp(e)){let r=e[0].slice();for(let o=1;o<e.length;o++)r.push(...e[o].slice(1));return yp(r[0])||(r=vp(r)),r}let n=new Set;for(let r=0;r<e.length;r++){let a=e[r][0],c=a.length;for(let f=0;f<c;f++)n.add(a[f])}let l=[Array.from(n).sort((r,o)=>r-o)],i=l[0].length,s=new Map;for(let r=0;r<i;r++)s.set(l[0][r],r);for(let r=0;r<e.length;r++){let o=e[r],a=o[0];for(let c=1;c<o.length;c++){let f=o[c],d=Array(i).fill(void 0),m=t?t[r][c]:dp,g=[];for(let y=0;y<f.length;y++){let x=f[y],O=s.get(a[y]);x===null?m!=hp&&(d[O]=x,m==pp&&g.push(O)):d[O]=x}gp(d,g,i),l.push(d)}}return l}var _p=typeof queueMicrotask>"u"?e=>Promise.resolve().then(e):queueMicrotask;function vp(e){let t=e[0],n=t.length,l=Array(n);for(let s=0;s<l.length;s++)l[s]=s;l.sort((s,r)=>t[s]-t[r]);let i=[];for(let s=0;s<e.length;s++){let r=e[s],o=Array(n);for(let a=0;a<n;a++)o[a]=r[l[a]];i.push(o)}return i}function wp(e){let t=e[0][0],n=t.length;for(let l=1;l<e.length;l++){let i=e[l][0];if(i.length!=n)return!1;if(i!=t){for(let s=0;s<n;s++)if(i[s]!=t[s])return!1}}return!0}function yp(e,t=100){let n=e.length;if(n<=1)return!0;let l=0,i=n-1;for(;l<=i&&e[l]==null;)l++;for(;i>=l&&e[i]==null;)i--;if(i<=l)return!0;let s=Ke(1,lt((i-l+1)/t));for(let r=e[l],o=l+s;o<=i;o+=s){let a=e[o];if(a!=null){if(a<=r)return!1;r=a}}return!0}var hu=["January","February","March","April","May","June","July","August","September","October","November","December"],du=["Sunday","Monday","Tuesday","Wednesday","Thursday","Friday","Saturday"];function pu(e){return e.slice(0,3)}var bp=du.map(pu),Ep=hu.map(pu),Sp={MMMM:hu,MMM:Ep,WWWW:du,WWW:bp};function gl(e){return(e<10?"0":"")+e}function xp(e){return(e<10?"00":e<100?"0":"")+e}var kp={YYYY:e=>e.getFullYear(),YY:e=>(e.getFullYear()+"").slice(2),MMMM:(e,t)=>t.MMMM[e.getMonth()],MMM:(e,t)=>t.MMM[e.getMonth()],MM:e=>gl(e.getMonth()+1),M:e=>e.getMonth()+1,DD:e=>gl(e.getDate()),D:e=>e.getDate(),WWWW:(e,t)=>t.WWWW[e.getDay()],WWW:(e,t)=>t.WWW[e.getDay()],HH:e=>gl(e.getHours()),H:e=>e.getHours(),h:e=>{let t=e.getHours();return t==0?12:t>12?t-12:t},AA:e=>e.getHours()>=12?"PM":"AM",aa:e=>e.getHours()>=12?"pm":"am",a:e=>e.getHours()>=12?"p":"a",mm:e=>gl(e.getMinutes()),m:e=>e.getMinutes(),ss:e=>gl(e.getSeconds()),s:e=>e.getSeconds(),fff:e=>xp(e.getMilliseconds())};function Ws(e,t){t=t||Sp;let n=[],l=/\{([a-z]+)\}|[^{]+/gi,i;for(;i=l.exec(e);)n.push(i[0][0]=="{"?kp[i[1]]:i[0]);return s=>{let r="";for(let o=0;o<n.length;o++)r+=typeof n[o]=="string"?n[o]:n[o](s,t);return r}}var Op=new Intl.DateTimeFormat().resolvedOptions().timeZone;function Mp(e,t){let n;return t=="UTC"||t=="Etc/UTC"?n=new Date(+e+e.getTimezoneOffset()*6e4):t==Op?n=e:(n=new Date(e.toLocaleString("en-US",{timeZone:t})),n.setMilliseconds(e.getMilliseconds())),n}var gu=e=>e%1==0,ei=[1,2,2.5,5],Tp=bl(10,-32,0,ei),mu=bl(10,0,32,ei),Cp=mu.filter(gu),pn=Tp.concat(mu),Hs=`
`,_u="{YYYY}",Da=Hs+_u,vu="{M}/{D}",vl=Hs+vu,$l=vl+"/{YY}",wu="{aa}",Ip="{h}:{mm}",Gn=Ip+wu,Ra=Hs+Gn,Fa=":{ss}",ae=null;function yu(e){let t=e*1e3,n=t*60,l=n*60,i=l*24,s=i*30,r=i*365,a=(e==1?bl(10,0,3,ei).filter(gu):bl(10,-3,0,ei)).concat([t,t*5,t*10,t*15,t*30,n,n*5,n*10,n*15,n*30,l,l*2,l*3,l*4,l*6,l*8,l*12,i,i*2,i*3,i*4,i*5,i*6,i*7,i*8,i*9,i*10,i*15,s,s*2,s*3,s*4,s*6,r,r*2,r*5,r*10,r*25,r*50,r*100]),c=[[r,_u,ae,ae,ae,ae,ae,ae,1],[i*28,"{MMM}",Da,ae,ae,ae,ae,ae,1],[i,vu,Da,ae,ae,ae,ae,ae,1],[l,"{h}"+wu,$l,ae,vl,ae,ae,ae,1],[n,Gn,$l,ae,vl,ae,ae,ae,1],[t,Fa,$l+" "+Gn,ae,vl+" "+Gn,ae,Ra,ae,1],[e,Fa+".{fff}",$l+" "+Gn,ae,vl+" "+Gn,ae,Ra,ae,1]];function f(d){return(m,g,y,x,O,k)=>{let v=[],E=O>=r,b=O>=s&&O<r,I=d(y),C=he(I*e,3),z=bs(I.getFullYear(),E?0:I.getMonth(),b||E?1:I.getDate()),P=he(z*e,3);if(b||E){let W=b?O/s:0,j=E?O/r:0,M=C==P?C:he(bs(z.getFullYear()+j,z.getMonth()+W,1)*e,3),D=new Date(Ie(M/e)),A=D.getFullYear(),F=D.getMonth();for(let L=0;M<=x;L++){let U=bs(A+j*L,F+W*L,1),Y=U-d(he(U*e,3));M=he((+U+Y)*e,3),M<=x&&v.push(M)}}else{let W=O>=i?i:O,j=lt(y)-lt(C),M=P+j+li(C-P,W);v.push(M);let D=d(M),A=D.getHours()+D.getMinutes()/n+D.getSeconds()/l,F=O/l,L=m.axes[g]._space,U=k/L;for(;M=he(M+O,e==1?0:3),!(M>x);)if(F>1){let Y=lt(he(A+F,6))%24,te=d(M).getHours()-Y;te>1&&(te=-1),M-=te*l,A=(A+F)%24;let ue=v[v.length-1];he((M-ue)/O,3)*U>=.7&&v.push(M)}else v.push(M)}return v}}return[a,c,f]}var[Ap,Np,Lp]=yu(1),[Pp,Dp,Rp]=yu(.001);bl(2,-53,53,[1]);function za(e,t){return e.map(n=>n.map((l,i)=>i==0||i==8||l==null?l:t(i==1||n[8]==0?l:n[1]+l)))}function ja(e,t){return(n,l,i,s,r)=>{let o=t.find(y=>r>=y[0])||t[t.length-1],a,c,f,d,m,g;return l.map(y=>{let x=e(y),O=x.getFullYear(),k=x.getMonth(),v=x.getDate(),E=x.getHours(),b=x.getMinutes(),I=x.getSeconds(),C=O!=a&&o[2]||k!=c&&o[3]||v!=f&&o[4]||E!=d&&o[5]||b!=m&&o[6]||I!=g&&o[7]||o[1];return a=O,c=k,f=v,d=E,m=b,g=I,C(x)})}}function Fp(e,t){let n=Ws(t);return(l,i,s,r,o)=>i.map(a=>n(e(a)))}function bs(e,t,n){return new Date(e,t,n)}function Va(e,t){return t(e)}var zp="{YYYY}-{MM}-{DD} {h}:{mm}{aa}";function Wa(e,t){return(n,l,i,s)=>s==null?Ds:t(e(l))}function jp(e,t){let n=e.series[t];return n.width?n.stroke(e,t):n.points.width?n.points.stroke(e,t):null}function Vp(e,t){return e.series[t].fill(e,t)}var Wp={show:!0,live:!0,isolate:!1,mount:rp,markers:{show:!0,width:2,stroke:jp,fill:Vp,dash:"solid"},idx:null,idxs:null,values:[]};function Hp(e,t){let n=e.cursor.points,l=ht(),i=n.size(e,t);ve(l,ml,i),ve(l,_l,i);let s=i/-2;ve(l,"marginLeft",s),ve(l,"marginTop",s);let r=n.width(e,t,i);return r&&ve(l,"borderWidth",r),l}function Bp(e,t){let n=e.series[t].points;return n._fill||n._stroke}function Gp(e,t){let n=e.series[t].points;return n._stroke||n._fill}function Yp(e,t){return e.series[t].points.size}var Es=[0,0];function Up(e,t,n){return Es[0]=t,Es[1]=n,Es}function Jl(e,t,n,l=!0){return i=>{i.button==0&&(!l||i.target==t)&&n(i)}}function Ss(e,t,n,l=!0){return i=>{(!l||i.target==t)&&n(i)}}var Kp={show:!0,x:!0,y:!0,lock:!1,move:Up,points:{one:!1,show:Hp,size:Yp,width:0,stroke:Gp,fill:Bp},bind:{mousedown:Jl,mouseup:Jl,click:Jl,dblclick:Jl,mousemove:Ss,mouseleave:Ss,mouseenter:Ss},drag:{setScale:!0,x:!0,y:!1,dist:0,uni:null,click:(e,t)=>{t.stopPropagation(),t.stopImmediatePropagation()},_x:!1,_y:!1},focus:{dist:(e,t,n,l,i)=>l-i,prox:-1,bias:0},hover:{skip:[void 0],prox:null,bias:0},left:-10,top:-10,idx:null,dataIdx:null,idxs:null,event:null},bu={show:!0,stroke:"rgba(0,0,0,0.07)",width:2},Bs=Me({},bu,{filter:ou}),Eu=Me({},Bs,{size:10}),Su=Me({},bu,{show:!1}),Gs='12px system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, "Noto Sans", sans-serif, "Apple Color Emoji", "Segoe UI Emoji", "Segoe UI Symbol", "Noto Color Emoji"',xu="bold "+Gs,ku=1.5,Ha={show:!0,scale:"x",stroke:Ps,space:50,gap:5,alignTo:1,size:50,labelGap:0,labelSize:30,labelFont:xu,side:2,grid:Bs,ticks:Eu,border:Su,font:Gs,lineGap:ku,rotate:0},qp="Value",$p="Time",Ba={show:!0,scale:"x",auto:!1,sorted:1,min:fe,max:-fe,idxs:[]};function Jp(e,t,n,l,i){return t.map(s=>s==null?"":js(s))}function Qp(e,t,n,l,i,s,r){let o=[],a=Jt.get(i)||0;n=r?n:he(li(n,i),a);for(let c=n;c<=l;c=he(c+i,a))o.push(Object.is(c,-0)?0:c);return o}function Cs(e,t,n,l,i,s,r){let o=[],a=e.scales[e.axes[t].scale].log,c=a==10?Ft:iu,f=lt(c(n));i=Un(a,f),a==10&&(i=pn[yt(i,pn)]);let d=n,m=i*a;a==10&&(m=pn[yt(m,pn)]);do o.push(d),d=d+i,a==10&&!Jt.has(d)&&(d=he(d,Jt.get(i))),d>=m&&(i=d,m=i*a,a==10&&(m=pn[yt(m,pn)]));while(d<=l);return o}function Zp(e,t,n,l,i,s,r){let a=e.scales[e.axes[t].scale].asinh,c=l>a?Cs(e,t,Ke(a,n),l,i):[a],f=l>=0&&n<=0?[0]:[];return(n<-a?Cs(e,t,Ke(a,-l),-n,i):[a]).reverse().map(m=>-m).concat(f,c)}var Ou=/./,Xp=/[12357]/,eg=/[125]/,Ga=/1/,Is=(e,t,n,l)=>e.map((i,s)=>t==4&&i==0||s%l==0&&n.test(i.toExponential()[i<0?1:0])?i:null);function tg(e,t,n,l,i){let s=e.axes[n],r=s.scale,o=e.scales[r],a=e.valToPos,c=s._space,f=a(10,r),d=a(9,r)-f>=c?Ou:a(7,r)-f>=c?Xp:a(5,r)-f>=c?eg:Ga;if(d==Ga){let m=Ae(a(1,r)-f);if(m<c)return Is(t.slice().reverse(),o.distr,d,dt(c/m)).reverse()}return Is(t,o.distr,d,1)}function ng(e,t,n,l,i){let s=e.axes[n],r=s.scale,o=s._space,a=e.valToPos,c=Ae(a(1,r)-a(2,r));return c<o?Is(t.slice().reverse(),3,Ou,dt(o/c)).reverse():t}function lg(e,t,n,l){return l==null?Ds:t==null?"":js(t)}var Ya={show:!0,scale:"y",stroke:Ps,space:30,gap:5,alignTo:1,size:50,labelGap:0,labelSize:30,labelFont:xu,side:3,grid:Bs,ticks:Eu,border:Su,font:Gs,lineGap:ku,rotate:0};function ig(e,t){let n=3+(e||1)*2;return he(n*t,3)}function sg(e,t){let{scale:n,idxs:l}=e.series[0],i=e._data[0],s=e.valToPos(i[l[0]],n,!0),r=e.valToPos(i[l[1]],n,!0),o=Ae(r-s),a=e.series[t],c=o/(a.points.space*re);return l[1]-l[0]<=c}var Ua={scale:null,auto:!0,sorted:0,min:fe,max:-fe},Mu=(e,t,n,l,i)=>i,Ka={show:!0,auto:!0,sorted:0,gaps:Mu,alpha:1,facets:[Me({},Ua,{scale:"x"}),Me({},Ua,{scale:"y"})]},qa={scale:"y",auto:!0,sorted:0,show:!0,spanGaps:!1,gaps:Mu,alpha:1,points:{show:sg,filter:null},values:null,min:fe,max:-fe,idxs:[],path:null,clip:null};function rg(e,t,n,l,i){return n/10}var Tu={time:!0,auto:!0,distr:1,log:10,asinh:1,min:null,max:null,dir:1,ori:0},og=Me({},Tu,{time:!1,ori:1}),$a={};function Cu(e,t){let n=$a[e];return n||(n={key:e,plots:[],sub(l){n.plots.push(l)},unsub(l){n.plots=n.plots.filter(i=>i!=l)},pub(l,i,s,r,o,a,c){for(let f=0;f<n.plots.length;f++)n.plots[f]!=i&&n.plots[f].pub(l,i,s,r,o,a,c)}},e!=null&&($a[e]=n)),n}var $n=1,As=2;function vn(e,t,n){let l=e.mode,i=e.series[t],s=l==2?e._data[t]:e._data,r=e.scales,o=e.bbox,a=s[0],c=l==2?s[1]:s[t],f=l==2?r[i.facets[0].scale]:r[e.series[0].scale],d=l==2?r[i.facets[1].scale]:r[i.scale],m=o.left,g=o.top,y=o.width,x=o.height,O=e.valToPosH,k=e.valToPosV;return f.ori==0?n(i,a,c,f,d,O,k,m,g,y,x,ri,Qn,ai,Au,Lu):n(i,a,c,f,d,k,O,g,m,x,y,oi,Zn,Ks,Nu,Pu)}function Ys(e,t){let n=0,l=0,i=ie(e.bands,Vs);for(let s=0;s<i.length;s++){let r=i[s];r.series[0]==t?n=r.dir:r.series[1]==t&&(r.dir==1?l|=1:l|=2)}return[n,l==1?-1:l==2?1:l==3?2:0]}function ag(e,t,n,l,i){let s=e.mode,r=e.series[t],o=s==2?r.facets[1].scale:r.scale,a=e.scales[o];return i==-1?a.min:i==1?a.max:a.distr==3?a.dir==1?a.min:a.max:0}function zt(e,t,n,l,i,s){return vn(e,t,(r,o,a,c,f,d,m,g,y,x,O)=>{let k=r.pxRound,v=c.dir*(c.ori==0?1:-1),E=c.ori==0?Qn:Zn,b,I;v==1?(b=n,I=l):(b=l,I=n);let C=k(d(o[b],c,x,g)),z=k(m(a[b],f,O,y)),P=k(d(o[I],c,x,g)),W=k(m(s==1?f.max:f.min,f,O,y)),j=new Path2D(i);return E(j,P,W),E(j,C,W),E(j,C,z),j})}function si(e,t,n,l,i,s){let r=null;if(e.length>0){r=new Path2D;let o=t==0?ai:Ks,a=n;for(let d=0;d<e.length;d++){let m=e[d];if(m[1]>m[0]){let g=m[0]-a;g>0&&o(r,a,l,g,l+s),a=m[1]}}let c=n+i-a,f=10;c>0&&o(r,a,l-f/2,c,l+s+f)}return r}function ug(e,t,n){let l=e[e.length-1];l&&l[0]==t?l[1]=n:e.push([t,n])}function Us(e,t,n,l,i,s,r){let o=[],a=e.length;for(let c=i==1?n:l;c>=n&&c<=l;c+=i)if(t[c]===null){let d=c,m=c;if(i==1)for(;++c<=l&&t[c]===null;)m=c;else for(;--c>=n&&t[c]===null;)m=c;let g=s(e[d]),y=m==d?g:s(e[m]),x=d-i;g=r<=0&&x>=0&&x<a?s(e[x]):g;let k=m+i;y=r>=0&&k>=0&&k<a?s(e[k]):y,y>=g&&o.push([g,y])}return o}function Ja(e){return e==0?ru:e==1?Ie:t=>dn(t,e)}function Iu(e){let t=e==0?ri:oi,n=e==0?(i,s,r,o,a,c)=>{i.arcTo(s,r,o,a,c)}:(i,s,r,o,a,c)=>{i.arcTo(r,s,a,o,c)},l=e==0?(i,s,r,o,a)=>{i.rect(s,r,o,a)}:(i,s,r,o,a)=>{i.rect(r,s,a,o)};return(i,s,r,o,a,c=0,f=0)=>{c==0&&f==0?l(i,s,r,o,a):(c=bt(c,o/2,a/2),f=bt(f,o/2,a/2),t(i,s+c,r),n(i,s+o,r,s+o,r+a,c),n(i,s+o,r+a,s,r+a,f),n(i,s,r+a,s,r,f),n(i,s,r,s+o,r,c),i.closePath())}}var ri=(e,t,n)=>{e.moveTo(t,n)},oi=(e,t,n)=>{e.moveTo(n,t)},Qn=(e,t,n)=>{e.lineTo(t,n)},Zn=(e,t,n)=>{e.lineTo(n,t)},ai=Iu(0),Ks=Iu(1),Au=(e,t,n,l,i,s)=>{e.arc(t,n,l,i,s)},Nu=(e,t,n,l,i,s)=>{e.arc(n,t,l,i,s)},Lu=(e,t,n,l,i,s,r)=>{e.bezierCurveTo(t,n,l,i,s,r)},Pu=(e,t,n,l,i,s,r)=>{e.bezierCurveTo(n,t,i,l,r,s)};function Du(e){return(t,n,l,i,s)=>vn(t,n,(r,o,a,c,f,d,m,g,y,x,O)=>{let{pxRound:k,points:v}=r,E,b;c.ori==0?(E=ri,b=Au):(E=oi,b=Nu);let I=he(v.width*re,3),C=(v.size-v.width)/2*re,z=he(C*2,3),P=new Path2D,W=new Path2D,{left:j,top:M,width:D,height:A}=t.bbox;ai(W,j-z,M-z,D+z*2,A+z*2);let F=L=>{if(a[L]!=null){let U=k(d(o[L],c,x,g)),Y=k(m(a[L],f,O,y));E(P,U+C,Y),b(P,U,Y,C,0,Ql*2)}};if(s)s.forEach(F);else for(let L=l;L<=i;L++)F(L);return{stroke:I>0?P:null,fill:P,clip:W,flags:$n|As}})}function Ru(e){return(t,n,l,i,s,r)=>{l!=i&&(s!=l&&r!=l&&e(t,n,l),s!=i&&r!=i&&e(t,n,i),e(t,n,r))}}var cg=Ru(Qn),fg=Ru(Zn);function Fu(e){let t=ie(e?.alignGaps,0);return(n,l,i,s)=>vn(n,l,(r,o,a,c,f,d,m,g,y,x,O)=>{[i,s]=ti(a,i,s);let k=r.pxRound,v=A=>k(d(A,c,x,g)),E=A=>k(m(A,f,O,y)),b,I;c.ori==0?(b=Qn,I=cg):(b=Zn,I=fg);let C=c.dir*(c.ori==0?1:-1),z={stroke:new Path2D,fill:null,clip:null,band:null,gaps:null,flags:$n},P=z.stroke,W=!1;if(s-i>=x*4){let A=K=>n.posToVal(K,c.key,!0),F=null,L=null,U,Y,qe,we=v(o[C==1?i:s]),te=v(o[i]),ue=v(o[s]),Z=A(C==1?te+1:ue-1);for(let K=C==1?i:s;K>=i&&K<=s;K+=C){let Te=o[K],ye=(C==1?Te<Z:Te>Z)?we:v(Te),oe=a[K];ye==we?oe!=null?(Y=oe,F==null?(b(P,ye,E(Y)),U=F=L=Y):Y<F?F=Y:Y>L&&(L=Y)):oe===null&&(W=!0):(F!=null&&I(P,we,E(F),E(L),E(U),E(Y)),oe!=null?(Y=oe,b(P,ye,E(Y)),F=L=U=Y):(F=L=null,oe===null&&(W=!0)),we=ye,Z=A(we+C))}F!=null&&F!=L&&qe!=we&&I(P,we,E(F),E(L),E(U),E(Y))}else for(let A=C==1?i:s;A>=i&&A<=s;A+=C){let F=a[A];F===null?W=!0:F!=null&&b(P,v(o[A]),E(F))}let[M,D]=Ys(n,l);if(r.fill!=null||M!=0){let A=z.fill=new Path2D(P),F=r.fillTo(n,l,r.min,r.max,M),L=E(F),U=v(o[i]),Y=v(o[s]);C==-1&&([Y,U]=[U,Y]),b(A,Y,L),b(A,U,L)}if(!r.spanGaps){let A=[];W&&A.push(...Us(o,a,i,s,C,v,t)),z.gaps=A=r.gaps(n,l,i,s,A),z.clip=si(A,c.ori,g,y,x,O)}return D!=0&&(z.band=D==2?[zt(n,l,i,s,P,-1),zt(n,l,i,s,P,1)]:zt(n,l,i,s,P,D)),z})}function hg(e){let t=ie(e.align,1),n=ie(e.ascDesc,!1),l=ie(e.alignGaps,0),i=ie(e.extend,!1);return(s,r,o,a)=>vn(s,r,(c,f,d,m,g,y,x,O,k,v,E)=>{[o,a]=ti(d,o,a);let b=c.pxRound,{left:I,width:C}=s.bbox,z=te=>b(y(te,m,v,O)),P=te=>b(x(te,g,E,k)),W=m.ori==0?Qn:Zn,j={stroke:new Path2D,fill:null,clip:null,band:null,gaps:null,flags:$n},M=j.stroke,D=m.dir*(m.ori==0?1:-1),A=P(d[D==1?o:a]),F=z(f[D==1?o:a]),L=F,U=F;i&&t==-1&&(U=I,W(M,U,A)),W(M,F,A);for(let te=D==1?o:a;te>=o&&te<=a;te+=D){let ue=d[te];if(ue==null)continue;let Z=z(f[te]),K=P(ue);t==1?W(M,Z,A):W(M,L,K),W(M,Z,K),A=K,L=Z}let Y=L;i&&t==1&&(Y=I+C,W(M,Y,A));let[qe,we]=Ys(s,r);if(c.fill!=null||qe!=0){let te=j.fill=new Path2D(M),ue=c.fillTo(s,r,c.min,c.max,qe),Z=P(ue);W(te,Y,Z),W(te,U,Z)}if(!c.spanGaps){let te=[];te.push(...Us(f,d,o,a,D,z,l));let ue=c.width*re/2,Z=n||t==1?ue:-ue,K=n||t==-1?-ue:ue;te.forEach(Te=>{Te[0]+=Z,Te[1]+=K}),j.gaps=te=c.gaps(s,r,o,a,te),j.clip=si(te,m.ori,O,k,v,E)}return we!=0&&(j.band=we==2?[zt(s,r,o,a,M,-1),zt(s,r,o,a,M,1)]:zt(s,r,o,a,M,we)),j})}function Qa(e,t,n,l,i,s,r=fe){if(e.length>1){let o=null;for(let a=0,c=1/0;a<e.length;a++)if(t[a]!==void 0){if(o!=null){let f=Ae(e[a]-e[o]);f<c&&(c=f,r=Ae(n(e[a],l,i,s)-n(e[o],l,i,s)))}o=a}}return r}function dg(e){e=e||yl;let t=ie(e.size,[.6,fe,1]),n=e.align||0,l=e.gap||0,i=e.radius;i=i==null?[0,0]:typeof i=="number"?[i,0]:i;let s=ee(i),r=1-t[0],o=ie(t[1],fe),a=ie(t[2],1),c=ie(e.disp,yl),f=ie(e.each,g=>{}),{fill:d,stroke:m}=c;return(g,y,x,O)=>vn(g,y,(k,v,E,b,I,C,z,P,W,j,M)=>{let D=k.pxRound,A=n,F=l*re,L=o*re,U=a*re,Y,qe;b.ori==0?[Y,qe]=s(g,y):[qe,Y]=s(g,y);let we=b.dir*(b.ori==0?1:-1),te=b.ori==0?ai:Ks,ue=b.ori==0?f:(B,de,Ce,En,Xt,St,en)=>{f(B,de,Ce,Xt,En,en,St)},Z=ie(g.bands,Vs).find(B=>B.series[0]==y),K=Z!=null?Z.dir:0,Te=k.fillTo(g,y,k.min,k.max,K),He=D(z(Te,I,M,W)),ye,oe,pt,Qe=j,Ee=D(k.width*re),Et=!1,Nt=null,st=null,jt=null,wn=null;d!=null&&(Ee==0||m!=null)&&(Et=!0,Nt=d.values(g,y,x,O),st=new Map,new Set(Nt).forEach(B=>{B!=null&&st.set(B,new Path2D)}),Ee>0&&(jt=m.values(g,y,x,O),wn=new Map,new Set(jt).forEach(B=>{B!=null&&wn.set(B,new Path2D)})));let{x0:yn,size:Xn}=c;if(yn!=null&&Xn!=null){A=1,v=yn.values(g,y,x,O),yn.unit==2&&(v=v.map(Ce=>g.posToVal(P+Ce*j,b.key,!0)));let B=Xn.values(g,y,x,O);Xn.unit==2?oe=B[0]*j:oe=C(B[0],b,j,P)-C(0,b,j,P),Qe=Qa(v,E,C,b,j,P,Qe),pt=Qe-oe+F}else Qe=Qa(v,E,C,b,j,P,Qe),pt=Qe*r+F,oe=Qe-pt;pt<1&&(pt=0),Ee>=oe/2&&(Ee=0),pt<5&&(D=ru);let El=pt>0,Qt=Qe-pt-(El?Ee:0);oe=D(Ts(Qt,U,L)),ye=(A==0?oe/2:A==we?0:oe)-A*we*((A==0?F/2:0)+(El?Ee/2:0));let Be={stroke:null,fill:null,clip:null,band:null,gaps:null,flags:0},bn=Et?null:new Path2D,Lt=null;if(Z!=null)Lt=g.data[Z.series[1]];else{let{y0:B,y1:de}=c;B!=null&&de!=null&&(E=de.values(g,y,x,O),Lt=B.values(g,y,x,O))}let Zt=Y*oe,Q=qe*oe;for(let B=we==1?x:O;B>=x&&B<=O;B+=we){let de=E[B];if(de==null)continue;if(Lt!=null){let $e=Lt[B]??0;if(de-$e==0)continue;He=z($e,I,M,W)}let Ce=b.distr!=2||c!=null?v[B]:B,En=C(Ce,b,j,P),Xt=z(ie(de,Te),I,M,W),St=D(En-ye),en=D(Ke(Xt,He)),Ze=D(bt(Xt,He)),rt=en-Ze;if(de!=null){let $e=de<0?Q:Zt,gt=de<0?Zt:Q;Et?(Ee>0&&jt[B]!=null&&te(wn.get(jt[B]),St,Ze+lt(Ee/2),oe,Ke(0,rt-Ee),$e,gt),Nt[B]!=null&&te(st.get(Nt[B]),St,Ze+lt(Ee/2),oe,Ke(0,rt-Ee),$e,gt)):te(bn,St,Ze+lt(Ee/2),oe,Ke(0,rt-Ee),$e,gt),ue(g,y,B,St-Ee/2,Ze,oe+Ee,rt)}}return Ee>0?Be.stroke=Et?wn:bn:Et||(Be._fill=k.width==0?k._fill:k._stroke??k._fill,Be.width=0),Be.fill=Et?st:bn,Be})}function pg(e,t){let n=ie(t?.alignGaps,0);return(l,i,s,r)=>vn(l,i,(o,a,c,f,d,m,g,y,x,O,k)=>{[s,r]=ti(c,s,r);let v=o.pxRound,E=Y=>v(m(Y,f,O,y)),b=Y=>v(g(Y,d,k,x)),I,C,z;f.ori==0?(I=ri,z=Qn,C=Lu):(I=oi,z=Zn,C=Pu);let P=f.dir*(f.ori==0?1:-1),W=E(a[P==1?s:r]),j=W,M=[],D=[];for(let Y=P==1?s:r;Y>=s&&Y<=r;Y+=P)if(c[Y]!=null){let we=a[Y],te=E(we);M.push(j=te),D.push(b(c[Y]))}let A={stroke:e(M,D,I,z,C,v),fill:null,clip:null,band:null,gaps:null,flags:$n},F=A.stroke,[L,U]=Ys(l,i);if(o.fill!=null||L!=0){let Y=A.fill=new Path2D(F),qe=o.fillTo(l,i,o.min,o.max,L),we=b(qe);z(Y,j,we),z(Y,W,we)}if(!o.spanGaps){let Y=[];Y.push(...Us(a,c,s,r,P,E,n)),A.gaps=Y=o.gaps(l,i,s,r,Y),A.clip=si(Y,f.ori,y,x,O,k)}return U!=0&&(A.band=U==2?[zt(l,i,s,r,F,-1),zt(l,i,s,r,F,1)]:zt(l,i,s,r,F,U)),A})}function gg(e){return pg(mg,e)}function mg(e,t,n,l,i,s){let r=e.length;if(r<2)return null;let o=new Path2D;if(n(o,e[0],t[0]),r==2)l(o,e[1],t[1]);else{let a=Array(r),c=Array(r-1),f=Array(r-1),d=Array(r-1);for(let m=0;m<r-1;m++)f[m]=t[m+1]-t[m],d[m]=e[m+1]-e[m],c[m]=f[m]/d[m];a[0]=c[0];for(let m=1;m<r-1;m++)c[m]===0||c[m-1]===0||c[m-1]>0!=c[m]>0?a[m]=0:(a[m]=3*(d[m-1]+d[m])/((2*d[m]+d[m-1])/c[m-1]+(d[m]+2*d[m-1])/c[m]),isFinite(a[m])||(a[m]=0));a[r-1]=c[r-2];for(let m=0;m<r-1;m++)i(o,e[m]+d[m]/3,t[m]+a[m]*d[m]/3,e[m+1]-d[m]/3,t[m+1]-a[m+1]*d[m]/3,e[m+1],t[m+1])}return o}var Ns=new Set;function Za(){for(let e of Ns)e.syncRect(!0)}Jn&&(mn(Jd,Yn,Za),mn(Qd,Yn,Za,!0),mn(Zl,Yn,()=>{We.pxRatio=re}));var _g=Fu(),vg=Du();function Xa(e,t,n,l){return(l?[e[0],e[1]].concat(e.slice(2)):[e[0]].concat(e.slice(1))).map((s,r)=>Ls(s,r,t,n))}function wg(e,t){return e.map((n,l)=>l==0?{}:Me({},t,n))}function Ls(e,t,n,l){return Me({},t==0?n:l,e)}function zu(e,t,n){return t==null?Kn:[t,n]}var yg=zu;function bg(e,t,n){return t==null?Kn:Xl(t,n,zs,!0)}function ju(e,t,n,l){return t==null?Kn:ni(t,n,e.scales[l].log,!1)}var Eg=ju;function Vu(e,t,n,l){return t==null?Kn:Fs(t,n,e.scales[l].log,!1)}var Sg=Vu;function xg(e,t,n,l,i){let s=Ke(Aa(e),Aa(t)),r=t-e,o=yt(i/l*r,n);do{let a=n[o],c=l*a/r;if(c>=i&&s+(a<5?Jt.get(a):0)<=17)return[a,c]}while(++o<n.length);return[0,0]}function eu(e){let t,n;return e=e.replace(/(\d+)px/,(l,i)=>(t=Ie((n=+i)*re))+"px"),[e,t,n]}function kg(e){e.show&&[e.font,e.labelFont].forEach(t=>{let n=he(t[2]*re,1);t[0]=t[0].replace(/[0-9.]+px/,n+"px"),t[1]=n})}function We(e,t,n){let l={mode:ie(e.mode,1)},i=l.mode;function s(u,h,p,_){let w=h.valToPct(u);return _+p*(h.dir==-1?1-w:w)}function r(u,h,p,_){let w=h.valToPct(u);return _+p*(h.dir==-1?w:1-w)}function o(u,h,p,_){return h.ori==0?s(u,h,p,_):r(u,h,p,_)}l.valToPosH=s,l.valToPosV=r;let a=!1;l.status=0;let c=l.root=ht(Nd);if(e.id!=null&&(c.id=e.id),nt(c,e.class),e.title){let u=ht(Dd,c);u.textContent=e.title}let f=wt("canvas"),d=l.ctx=f.getContext("2d"),m=ht(Rd,c);mn("click",m,u=>{u.target===y&&(pe!=Ln||be!=Pn)&&je.click(l,u)},!0);let g=l.under=ht(Fd,m);m.appendChild(f);let y=l.over=ht(zd,m);e=qn(e);let x=+ie(e.pxAlign,1),O=Ja(x);(e.plugins||[]).forEach(u=>{u.opts&&(e=u.opts(l,e)||e)});let k=e.ms||.001,v=l.series=i==1?Xa(e.series||[],Ba,qa,!1):wg(e.series||[null],Ka),E=l.axes=Xa(e.axes||[],Ha,Ya,!0),b=l.scales={},I=l.bands=e.bands||[];I.forEach(u=>{u.fill=ee(u.fill||null),u.dir=ie(u.dir,-1)});let C=i==2?v[1].facets[0].scale:v[0].scale,z={axes:nc,series:Qu},P=(e.drawOrder||["axes","series"]).map(u=>z[u]);function W(u){let h=u.distr==3?p=>Ft(p>0?p:u.clamp(l,p,u.min,u.max,u.key)):u.distr==4?p=>ys(p,u.asinh):u.distr==100?p=>u.fwd(p):p=>p;return p=>{let _=h(p),{_min:w,_max:S}=u,T=S-w;return(_-w)/T}}function j(u){let h=b[u];if(h==null){let p=(e.scales||yl)[u]||yl;if(p.from!=null){j(p.from);let _=Me({},b[p.from],p,{key:u});_.valToPct=W(_),b[u]=_}else{h=b[u]=Me({},u==C?Tu:og,p),h.key=u;let _=h.time,w=h.range,S=$t(w);if((u!=C||i==2&&!_)&&(S&&(w[0]==null||w[1]==null)&&(w={min:w[0]==null?Ta:{mode:1,hard:w[0],soft:w[0]},max:w[1]==null?Ta:{mode:1,hard:w[1],soft:w[1]}},S=!1),!S&&ii(w))){let T=w;w=(N,R,V)=>R==null?Kn:Xl(R,V,T)}h.range=ee(w||(_?yg:u==C?h.distr==3?Eg:h.distr==4?Sg:zu:h.distr==3?ju:h.distr==4?Vu:bg)),h.auto=ee(S?!1:h.auto),h.clamp=ee(h.clamp||rg),h._min=h._max=null,h.valToPct=W(h)}}}j("x"),j("y"),i==1&&v.forEach(u=>{j(u.scale)}),E.forEach(u=>{j(u.scale)});for(let u in e.scales)j(u);let M=b[C],D=M.distr,A,F;M.ori==0?(nt(c,Ld),A=s,F=r):(nt(c,Pd),A=r,F=s);let L={};for(let u in b){let h=b[u];(h.min!=null||h.max!=null)&&(L[u]={min:h.min,max:h.max},h.min=h.max=null)}let U=e.tzDate||(u=>new Date(Ie(u/k))),Y=e.fmtDate||Ws,qe=k==1?Lp(U):Rp(U),we=ja(U,za(k==1?Np:Dp,Y)),te=Wa(U,Va(zp,Y)),ue=[],Z=l.legend=Me({},Wp,e.legend),K=l.cursor=Me({},Kp,{drag:{y:i==2}},e.cursor),Te=Z.show,He=K.show,ye=Z.markers;Z.idxs=ue,ye.width=ee(ye.width),ye.dash=ee(ye.dash),ye.stroke=ee(ye.stroke),ye.fill=ee(ye.fill);let oe,pt,Qe,Ee=[],Et=[],Nt,st=!1,jt={};if(Z.live){let u=v[1]?v[1].values:null;st=u!=null,Nt=st?u(l,1,0):{_:0};for(let h in Nt)jt[h]=Ds}if(Te)if(oe=wt("table",Gd,c),Qe=wt("tbody",null,oe),Z.mount(l,oe),st){pt=wt("thead",null,oe,Qe);let u=wt("tr",null,pt);wt("th",null,u);for(var wn in Nt)wt("th",ga,u).textContent=wn}else nt(oe,Ud),Z.live&&nt(oe,Yd);let yn={show:!0},Xn={show:!1};function El(u,h){if(h==0&&(st||!Z.live||i==2))return Kn;let p=[],_=wt("tr",Kd,Qe,Qe.childNodes[h]);nt(_,u.class),u.show||nt(_,gn);let w=wt("th",null,_);if(ye.show){let N=ht(qd,w);if(h>0){let R=ye.width(l,h);R&&(N.style.border=R+"px "+ye.dash(l,h)+" "+ye.stroke(l,h)),N.style.background=ye.fill(l,h)}}let S=ht(ga,w);u.label instanceof HTMLElement?S.appendChild(u.label):S.textContent=u.label,h>0&&(ye.show||(S.style.color=u.width>0?ye.stroke(l,h):ye.fill(l,h)),Be("click",w,N=>{if(K._lock)return;nn(N);let R=v.indexOf(u);if((N.ctrlKey||N.metaKey)!=Z.isolate){let V=v.some((H,G)=>G>0&&G!=R&&H.show);v.forEach((H,G)=>{G>0&&kt(G,V?G==R?yn:Xn:yn,!0,Oe.setSeries)})}else kt(R,{show:!u.show},!0,Oe.setSeries)},!1),xn&&Be(wa,w,N=>{K._lock||(nn(N),kt(v.indexOf(u),Rn,!0,Oe.setSeries))},!1));for(var T in Nt){let N=wt("td",$d,_);N.textContent="--",p.push(N)}return[_,p]}let Qt=new Map;function Be(u,h,p,_=!0){let w=Qt.get(h)||{},S=K.bind[u](l,h,p,_);S&&(mn(u,h,w[u]=S),Qt.set(h,w))}function bn(u,h,p){let _=Qt.get(h)||{};for(let w in _)(u==null||w==u)&&(Ms(w,h,_[w]),delete _[w]);u==null&&Qt.delete(h)}let Lt=0,Zt=0,Q=0,B=0,de=0,Ce=0,En=de,Xt=Ce,St=Q,en=B,Ze=0,rt=0,$e=0,gt=0;l.bbox={};let ui=!1,Sl=!1,Sn=!1,tn=!1,xl=!1,ot=!1;function ci(u,h,p){(p||u!=l.width||h!=l.height)&&$s(u,h),Cn(!1),Sn=!0,Sl=!0,In()}function $s(u,h){l.width=Lt=Q=u,l.height=Zt=B=h,de=Ce=0,Gu(),Yu();let p=l.bbox;Ze=p.left=dn(de*re,.5),rt=p.top=dn(Ce*re,.5),$e=p.width=dn(Q*re,.5),gt=p.height=dn(B*re,.5)}let Wu=3;function Hu(){let u=!1,h=0;for(;!u;){h++;let p=ec(h),_=tc(h);u=h==Wu||p&&_,u||($s(l.width,l.height),Sl=!0)}}function Bu({width:u,height:h}){ci(u,h)}l.setSize=Bu;function Gu(){let u=!1,h=!1,p=!1,_=!1;E.forEach((w,S)=>{if(w.show&&w._show){let{side:T,_size:N}=w,R=T%2,V=w.label!=null?w.labelSize:0,H=N+V;H>0&&(R?(Q-=H,T==3?(de+=H,_=!0):p=!0):(B-=H,T==0?(Ce+=H,u=!0):h=!0))}}),ln[0]=u,ln[1]=p,ln[2]=h,ln[3]=_,Q-=Vt[1]+Vt[3],de+=Vt[3],B-=Vt[2]+Vt[0],Ce+=Vt[0]}function Yu(){let u=de+Q,h=Ce+B,p=de,_=Ce;function w(S,T){switch(S){case 1:return u+=T,u-T;case 2:return h+=T,h-T;case 3:return p-=T,p+T;case 0:return _-=T,_+T}}E.forEach((S,T)=>{if(S.show&&S._show){let N=S.side;S._pos=w(N,S._size),S.label!=null&&(S._lpos=w(N,S.labelSize))}})}if(K.dataIdx==null){let u=K.hover,h=u.skip=new Set(u.skip??[]);h.add(void 0);let p=u.prox=ee(u.prox),_=u.bias??=0;K.dataIdx=(w,S,T,N)=>{if(S==0)return T;let R=T,V=p(w,S,T,N)??fe,H=V>=0&&V<fe,G=M.ori==0?Q:B,J=K.left,se=t[0],ne=t[S];if(h.has(ne[T])){R=null;let X=null,$=null,q;if(_==0||_==-1)for(q=T;X==null&&q-- >0;)h.has(ne[q])||(X=q);if(_==0||_==1)for(q=T;$==null&&q++<ne.length;)h.has(ne[q])||($=q);if(X!=null||$!=null)if(H){let me=X==null?-1/0:A(se[X],M,G,0),xe=$==null?1/0:A(se[$],M,G,0),Fe=J-me,ce=xe-J;Fe<=ce?Fe<=V&&(R=X):ce<=V&&(R=$)}else R=$==null?X:X==null?$:T-X<=$-T?X:$}else H&&Ae(J-A(se[T],M,G,0))>V&&(R=null);return R}}let nn=u=>{K.event=u};K.idxs=ue,K._lock=!1;let Ve=K.points;Ve.show=ee(Ve.show),Ve.size=ee(Ve.size),Ve.stroke=ee(Ve.stroke),Ve.width=ee(Ve.width),Ve.fill=ee(Ve.fill);let xt=l.focus=Me({},e.focus||{alpha:.3},K.focus),xn=xt.prox>=0,kn=xn&&Ve.one,at=[],On=[],Mn=[];function Js(u,h){let p=Ve.show(l,h);if(p instanceof HTMLElement)return nt(p,Bd),nt(p,u.class),At(p,-10,-10,Q,B),y.insertBefore(p,at[h]),p}function Qs(u,h){if(i==1||h>0){let p=i==1&&b[u.scale].time,_=u.value;u.value=p?Pa(_)?Wa(U,Va(_,Y)):_||te:_||lg,u.label=u.label||(p?$p:qp)}if(kn||h>0){u.width=u.width==null?1:u.width,u.paths=u.paths||_g||op,u.fillTo=ee(u.fillTo||ag),u.pxAlign=+ie(u.pxAlign,x),u.pxRound=Ja(u.pxAlign),u.stroke=ee(u.stroke||null),u.fill=ee(u.fill||null),u._stroke=u._fill=u._paths=u._focus=null;let p=ig(Ke(1,u.width),1),_=u.points=Me({},{size:p,width:Ke(1,p*.2),stroke:u.stroke,space:p*2,paths:vg,_stroke:null,_fill:null},u.points);_.show=ee(_.show),_.filter=ee(_.filter),_.fill=ee(_.fill),_.stroke=ee(_.stroke),_.paths=ee(_.paths),_.pxAlign=u.pxAlign}if(Te){let p=El(u,h);Ee.splice(h,0,p[0]),Et.splice(h,0,p[1]),Z.values.push(null)}if(He){ue.splice(h,0,null);let p=null;kn?h==0&&(p=Js(u,h)):h>0&&(p=Js(u,h)),at.splice(h,0,p),On.splice(h,0,0),Mn.splice(h,0,0)}Re("addSeries",h)}function Uu(u,h){h=h??v.length,u=i==1?Ls(u,h,Ba,qa):Ls(u,h,{},Ka),v.splice(h,0,u),Qs(v[h],h)}l.addSeries=Uu;function Ku(u){if(v.splice(u,1),Te){Z.values.splice(u,1),Et.splice(u,1);let h=Ee.splice(u,1)[0];bn(null,h.firstChild),h.remove()}He&&(ue.splice(u,1),at.splice(u,1)[0].remove(),On.splice(u,1),Mn.splice(u,1)),Re("delSeries",u)}l.delSeries=Ku;let ln=[!1,!1,!1,!1];function qu(u,h){if(u._show=u.show,u.show){let p=u.side%2,_=b[u.scale];_==null&&(u.scale=p?v[1].scale:C,_=b[u.scale]);let w=_.time;u.size=ee(u.size),u.space=ee(u.space),u.rotate=ee(u.rotate),$t(u.incrs)&&u.incrs.forEach(T=>{!Jt.has(T)&&Jt.set(T,uu(T))}),u.incrs=ee(u.incrs||(_.distr==2?Cp:w?k==1?Ap:Pp:pn)),u.splits=ee(u.splits||(w&&_.distr==1?qe:_.distr==3?Cs:_.distr==4?Zp:Qp)),u.stroke=ee(u.stroke),u.grid.stroke=ee(u.grid.stroke),u.ticks.stroke=ee(u.ticks.stroke),u.border.stroke=ee(u.border.stroke);let S=u.values;u.values=$t(S)&&!$t(S[0])?ee(S):w?$t(S)?ja(U,za(S,Y)):Pa(S)?Fp(U,S):S||we:S||Jp,u.filter=ee(u.filter||(_.distr>=3&&_.log==10?tg:_.distr==3&&_.log==2?ng:ou)),u.font=eu(u.font),u.labelFont=eu(u.labelFont),u._size=u.size(l,null,h,0),u._space=u._rotate=u._incrs=u._found=u._splits=u._values=null,u._size>0&&(ln[h]=!0,u._el=ht(jd,m))}}function el(u,h,p,_){let[w,S,T,N]=p,R=h%2,V=0;return R==0&&(N||S)&&(V=h==0&&!w||h==2&&!T?Ie(Ha.size/3):0),R==1&&(w||T)&&(V=h==1&&!S||h==3&&!N?Ie(Ya.size/2):0),V}let Zs=l.padding=(e.padding||[el,el,el,el]).map(u=>ee(ie(u,el))),Vt=l._padding=Zs.map((u,h)=>u(l,h,ln,0)),ze,Ne=null,Le=null,kl=i==1?v[0].idxs:null,mt=null,tl=!1;function Xs(u,h){if(t=u??[],l.data=l._data=t,i==2){ze=0;for(let p=1;p<v.length;p++)ze+=t[p][0].length}else{t.length==0&&(l.data=l._data=t=[[]]),mt=t[0],ze=mt.length;let p=t;if(D==2){p=t.slice();let _=p[0]=Array(ze);for(let w=0;w<ze;w++)_[w]=w}l._data=t=p}if(Cn(!0),Re("setData"),D==2&&(Sn=!0),h!==!1){let p=M;p.auto(l,tl)?fi():Ht(C,p.min,p.max),tn=tn||K.left>=0,ot=!0,In()}}l.setData=Xs;function fi(){tl=!0;let u,h;i==1&&(ze>0?(Ne=kl[0]=0,Le=kl[1]=ze-1,u=t[0][Ne],h=t[0][Le],D==2?(u=Ne,h=Le):u==h&&(D==3?[u,h]=ni(u,u,M.log,!1):D==4?[u,h]=Fs(u,u,M.log,!1):M.time?h=u+Ie(86400/k):[u,h]=Xl(u,h,zs,!0))):(Ne=kl[0]=u=null,Le=kl[1]=h=null)),Ht(C,u,h)}let Ol,Tn,hi,di,pi,gi,mi,_i,vi,Je;function er(u,h,p,_,w,S){u??=_a,p??=Vs,_??="butt",w??=_a,S??="round",u!=Ol&&(d.strokeStyle=Ol=u),w!=Tn&&(d.fillStyle=Tn=w),h!=hi&&(d.lineWidth=hi=h),S!=pi&&(d.lineJoin=pi=S),_!=gi&&(d.lineCap=gi=_),p!=di&&d.setLineDash(di=p)}function tr(u,h,p,_){h!=Tn&&(d.fillStyle=Tn=h),u!=mi&&(d.font=mi=u),p!=_i&&(d.textAlign=_i=p),_!=vi&&(d.textBaseline=vi=_)}function wi(u,h,p,_,w=0){if(_.length>0&&u.auto(l,tl)&&(h==null||h.min==null)){let S=ie(Ne,0),T=ie(Le,_.length-1),N=p.min==null?tp(_,S,T,w,u.distr==3):[p.min,p.max];u.min=bt(u.min,p.min=N[0]),u.max=Ke(u.max,p.max=N[1])}}let nr={min:null,max:null};function $u(){for(let _ in b){let w=b[_];L[_]==null&&(w.min==null||L[C]!=null&&w.auto(l,tl))&&(L[_]=nr)}for(let _ in b){let w=b[_];L[_]==null&&w.from!=null&&L[w.from]!=null&&(L[_]=nr)}L[C]!=null&&Cn(!0);let u={};for(let _ in L){let w=L[_];if(w!=null){let S=u[_]=qn(b[_],cp);if(w.min!=null)Me(S,w);else if(_!=C||i==2)if(ze==0&&S.from==null){let T=S.range(l,null,null,_);S.min=T[0],S.max=T[1]}else S.min=fe,S.max=-fe}}if(ze>0){v.forEach((_,w)=>{if(i==1){let S=_.scale,T=L[S];if(T==null)return;let N=u[S];if(w==0){let R=N.range(l,N.min,N.max,S);N.min=R[0],N.max=R[1],Ne=yt(N.min,t[0]),Le=yt(N.max,t[0]),Le-Ne>1&&(t[0][Ne]<N.min&&Ne++,t[0][Le]>N.max&&Le--),_.min=mt[Ne],_.max=mt[Le]}else _.show&&_.auto&&wi(N,T,_,t[w],_.sorted);_.idxs[0]=Ne,_.idxs[1]=Le}else if(w>0&&_.show&&_.auto){let[S,T]=_.facets,N=S.scale,R=T.scale,[V,H]=t[w],G=u[N],J=u[R];G!=null&&wi(G,L[N],S,V,S.sorted),J!=null&&wi(J,L[R],T,H,T.sorted),_.min=T.min,_.max=T.max}});for(let _ in u){let w=u[_],S=L[_];if(w.from==null&&(S==null||S.min==null)){let T=w.range(l,w.min==fe?null:w.min,w.max==-fe?null:w.max,_);w.min=T[0],w.max=T[1]}}}for(let _ in u){let w=u[_];if(w.from!=null){let S=u[w.from];if(S.min==null)w.min=w.max=null;else{let T=w.range(l,S.min,S.max,_);w.min=T[0],w.max=T[1]}}}let h={},p=!1;for(let _ in u){let w=u[_],S=b[_];if(S.min!=w.min||S.max!=w.max){S.min=w.min,S.max=w.max;let T=S.distr;S._min=T==3?Ft(S.min):T==4?ys(S.min,S.asinh):T==100?S.fwd(S.min):S.min,S._max=T==3?Ft(S.max):T==4?ys(S.max,S.asinh):T==100?S.fwd(S.max):S.max,h[_]=p=!0}}if(p){v.forEach((_,w)=>{i==2?w>0&&h.y&&(_._paths=null):h[_.scale]&&(_._paths=null)});for(let _ in h)Sn=!0,Re("setScale",_);He&&K.left>=0&&(tn=ot=!0)}for(let _ in L)L[_]=null}function Ju(u){let h=Ts(Ne-1,0,ze-1),p=Ts(Le+1,0,ze-1);for(;u[h]==null&&h>0;)h--;for(;u[p]==null&&p<ze-1;)p++;return[h,p]}function Qu(){if(ze>0){let u=v.some(h=>h._focus)&&Je!=xt.alpha;u&&(d.globalAlpha=Je=xt.alpha),v.forEach((h,p)=>{if(p>0&&h.show&&(lr(p,!1),lr(p,!0),h._paths==null)){let _=Je;Je!=h.alpha&&(d.globalAlpha=Je=h.alpha);let w=i==2?[0,t[p][0].length-1]:Ju(t[p]);h._paths=h.paths(l,p,w[0],w[1]),Je!=_&&(d.globalAlpha=Je=_)}}),v.forEach((h,p)=>{if(p>0&&h.show){let _=Je;Je!=h.alpha&&(d.globalAlpha=Je=h.alpha),h._paths!=null&&ir(p,!1);{let w=h._paths!=null?h._paths.gaps:null,S=h.points.show(l,p,Ne,Le,w),T=h.points.filter(l,p,S,w);(S||T)&&(h.points._paths=h.points.paths(l,p,Ne,Le,T),ir(p,!0))}Je!=_&&(d.globalAlpha=Je=_),Re("drawSeries",p)}}),u&&(d.globalAlpha=Je=1)}}function lr(u,h){let p=h?v[u].points:v[u];p._stroke=p.stroke(l,u),p._fill=p.fill(l,u)}function ir(u,h){let p=h?v[u].points:v[u],{stroke:_,fill:w,clip:S,flags:T,_stroke:N=p._stroke,_fill:R=p._fill,_width:V=p.width}=p._paths;V=he(V*re,3);let H=null,G=V%2/2;h&&R==null&&(R=V>0?"#fff":N);let J=p.pxAlign==1&&G>0;if(J&&d.translate(G,G),!h){let se=Ze-V/2,ne=rt-V/2,X=$e+V,$=gt+V;H=new Path2D,H.rect(se,ne,X,$)}h?yi(N,V,p.dash,p.cap,R,_,w,T,S):Zu(u,N,V,p.dash,p.cap,R,_,w,T,H,S),J&&d.translate(-G,-G)}function Zu(u,h,p,_,w,S,T,N,R,V,H){let G=!1;R!=0&&I.forEach((J,se)=>{if(J.series[0]==u){let ne=v[J.series[1]],X=t[J.series[1]],$=(ne._paths||yl).band;$t($)&&($=J.dir==1?$[0]:$[1]);let q,me=null;ne.show&&$&&lp(X,Ne,Le)?(me=J.fill(l,se)||S,q=ne._paths.clip):$=null,yi(h,p,_,w,me,T,N,R,V,H,q,$),G=!0}}),G||yi(h,p,_,w,S,T,N,R,V,H)}let sr=$n|As;function yi(u,h,p,_,w,S,T,N,R,V,H,G){er(u,h,p,_,w),(R||V||G)&&(d.save(),R&&d.clip(R),V&&d.clip(V)),G?(N&sr)==sr?(d.clip(G),H&&d.clip(H),Tl(w,T),Ml(u,S,h)):N&As?(Tl(w,T),d.clip(G),Ml(u,S,h)):N&$n&&(d.save(),d.clip(G),H&&d.clip(H),Tl(w,T),d.restore(),Ml(u,S,h)):(Tl(w,T),Ml(u,S,h)),(R||V||G)&&d.restore()}function Ml(u,h,p){p>0&&(h instanceof Map?h.forEach((_,w)=>{d.strokeStyle=Ol=w,d.stroke(_)}):h!=null&&u&&d.stroke(h))}function Tl(u,h){h instanceof Map?h.forEach((p,_)=>{d.fillStyle=Tn=_,d.fill(p)}):h!=null&&u&&d.fill(h)}function Xu(u,h,p,_){let w=E[u],S;if(_<=0)S=[0,0];else{let T=w._space=w.space(l,u,h,p,_),N=w._incrs=w.incrs(l,u,h,p,_,T);S=xg(h,p,N,_,T)}return w._found=S}function bi(u,h,p,_,w,S,T,N,R,V){let H=T%2/2;x==1&&d.translate(H,H),er(N,T,R,V,N),d.beginPath();let G,J,se,ne,X=w+(_==0||_==3?-S:S);p==0?(J=w,ne=X):(G=w,se=X);for(let $=0;$<u.length;$++)h[$]!=null&&(p==0?G=se=u[$]:J=ne=u[$],d.moveTo(G,J),d.lineTo(se,ne));d.stroke(),x==1&&d.translate(-H,-H)}function ec(u){let h=!0;return E.forEach((p,_)=>{if(!p.show)return;let w=b[p.scale];if(w.min==null){p._show&&(h=!1,p._show=!1,Cn(!1));return}else p._show||(h=!1,p._show=!0,Cn(!1));let S=p.side,T=S%2,{min:N,max:R}=w,[V,H]=Xu(_,N,R,T==0?Q:B);if(H==0)return;let G=w.distr==2,J=p._splits=p.splits(l,_,N,R,V,H,G),se=w.distr==2?J.map(q=>mt[q]):J,ne=w.distr==2?mt[J[1]]-mt[J[0]]:V,X=p._values=p.values(l,p.filter(l,se,_,H,ne),_,H,ne);p._rotate=S==2?p.rotate(l,X,_,H):0;let $=p._size;p._size=dt(p.size(l,X,_,u)),$!=null&&p._size!=$&&(h=!1)}),h}function tc(u){let h=!0;return Zs.forEach((p,_)=>{let w=p(l,_,ln,u);w!=Vt[_]&&(h=!1),Vt[_]=w}),h}function nc(){for(let u=0;u<E.length;u++){let h=E[u];if(!h.show||!h._show)continue;let p=h.side,_=p%2,w,S,T=h.stroke(l,u),N=p==0||p==3?-1:1,[R,V]=h._found;if(h.label!=null){let Ye=h.labelGap*N,tt=Ie((h._lpos+Ye)*re);tr(h.labelFont[0],T,"center",p==2?"top":ma),d.save(),_==1?(w=S=0,d.translate(tt,Ie(rt+gt/2)),d.rotate((p==3?-Ql:Ql)/2)):(w=Ie(Ze+$e/2),S=tt);let on=su(h.label)?h.label(l,u,R,V):h.label;d.fillText(on,w,S),d.restore()}if(V==0)continue;let H=b[h.scale],G=_==0?$e:gt,J=_==0?Ze:rt,se=h._splits,ne=H.distr==2?se.map(Ye=>mt[Ye]):se,X=H.distr==2?mt[se[1]]-mt[se[0]]:R,$=h.ticks,q=h.border,me=$.show?$.size:0,xe=Ie(me*re),Fe=Ie((h.alignTo==2?h._size-me-h.gap:h.gap)*re),ce=h._rotate*-Ql/180,ke=O(h._pos*re),Xe=(xe+Fe)*N,Ge=ke+Xe;S=_==0?Ge:0,w=_==1?Ge:0;let ut=h.font[0],_t=h.align==1?Bn:h.align==2?_s:ce>0?Bn:ce<0?_s:_==0?"center":p==3?_s:Bn,Mt=ce||_==1?"middle":p==2?"top":ma;tr(ut,T,_t,Mt);let et=h.font[1]*h.lineGap,ct=se.map(Ye=>O(o(Ye,H,G,J))),vt=h._values;for(let Ye=0;Ye<vt.length;Ye++){let tt=vt[Ye];if(tt!=null){_==0?w=ct[Ye]:S=ct[Ye],tt=""+tt;let on=tt.indexOf(`
`)==-1?[tt]:tt.split(/\n/gm);for(let Ue=0;Ue<on.length;Ue++){let xr=on[Ue];ce?(d.save(),d.translate(w,S+Ue*et),d.rotate(ce),d.fillText(xr,0,0),d.restore()):d.fillText(xr,w,S+Ue*et)}}}$.show&&bi(ct,$.filter(l,ne,u,V,X),_,p,ke,xe,he($.width*re,3),$.stroke(l,u),$.dash,$.cap);let Tt=h.grid;Tt.show&&bi(ct,Tt.filter(l,ne,u,V,X),_,_==0?2:1,_==0?rt:Ze,_==0?gt:$e,he(Tt.width*re,3),Tt.stroke(l,u),Tt.dash,Tt.cap),q.show&&bi([ke],[1],_==0?1:0,_==0?1:2,_==1?rt:Ze,_==1?gt:$e,he(q.width*re,3),q.stroke(l,u),q.dash,q.cap)}Re("drawAxes")}function Cn(u){v.forEach((h,p)=>{p>0&&(h._paths=null,u&&(i==1?(h.min=null,h.max=null):h.facets.forEach(_=>{_.min=null,_.max=null})))})}let Cl=!1,Ei=!1,nl=[];function lc(){Ei=!1;for(let u=0;u<nl.length;u++)Re(...nl[u]);nl.length=0}function In(){Cl||(_p(rr),Cl=!0)}function ic(u,h=!1){Cl=!0,Ei=h,u(l),rr(),h&&nl.length>0&&queueMicrotask(lc)}l.batch=ic;function rr(){if(ui&&($u(),ui=!1),Sn&&(Hu(),Sn=!1),Sl){if(ve(g,Bn,de),ve(g,"top",Ce),ve(g,ml,Q),ve(g,_l,B),ve(y,Bn,de),ve(y,"top",Ce),ve(y,ml,Q),ve(y,_l,B),ve(m,ml,Lt),ve(m,_l,Zt),f.width=Ie(Lt*re),f.height=Ie(Zt*re),E.forEach(({_el:u,_show:h,_size:p,_pos:_,side:w})=>{if(u!=null)if(h){let S=w===3||w===0?p:0,T=w%2==1;ve(u,T?"left":"top",_-S),ve(u,T?"width":"height",p),ve(u,T?"top":"left",T?Ce:de),ve(u,T?"height":"width",T?B:Q),Os(u,gn)}else nt(u,gn)}),Ol=Tn=hi=pi=gi=mi=_i=vi=di=null,Je=1,sl(!0),de!=En||Ce!=Xt||Q!=St||B!=en){Cn(!1);let u=Q/St,h=B/en;if(He&&!tn&&K.left>=0){K.left*=u,K.top*=h,An&&At(An,Ie(K.left),0,Q,B),Nn&&At(Nn,0,Ie(K.top),Q,B);for(let p=0;p<at.length;p++){let _=at[p];_!=null&&(On[p]*=u,Mn[p]*=h,At(_,dt(On[p]),dt(Mn[p]),Q,B))}}if(ge.show&&!xl&&ge.left>=0&&ge.width>0){ge.left*=u,ge.width*=u,ge.top*=h,ge.height*=h;for(let p in Ti)ve(Dn,p,ge[p])}En=de,Xt=Ce,St=Q,en=B}Re("setSize"),Sl=!1}Lt>0&&Zt>0&&(d.clearRect(0,0,f.width,f.height),Re("drawClear"),P.forEach(u=>u()),Re("draw")),ge.show&&xl&&(Il(ge),xl=!1),He&&tn&&(rn(null,!0,!1),tn=!1),Z.show&&Z.live&&ot&&(Oi(),ot=!1),a||(a=!0,l.status=1,Re("ready")),tl=!1,Cl=!1}l.redraw=(u,h)=>{Sn=h||!1,u!==!1?Ht(C,M.min,M.max):In()};function Si(u,h){let p=b[u];if(p.from==null){if(ze==0){let _=p.range(l,h.min,h.max,u);h.min=_[0],h.max=_[1]}if(h.min>h.max){let _=h.min;h.min=h.max,h.max=_}if(ze>1&&h.min!=null&&h.max!=null&&h.max-h.min<1e-16)return;u==C&&p.distr==2&&ze>0&&(h.min=yt(h.min,t[0]),h.max=yt(h.max,t[0]),h.min==h.max&&h.max++),L[u]=h,ui=!0,In()}}l.setScale=Si;let xi,ki,An,Nn,or,ar,Ln,Pn,ur,cr,pe,be,Wt=!1,je=K.drag,Pe=je.x,De=je.y;He&&(K.x&&(xi=ht(Wd,y)),K.y&&(ki=ht(Hd,y)),M.ori==0?(An=xi,Nn=ki):(An=ki,Nn=xi),pe=K.left,be=K.top);let ge=l.select=Me({show:!0,over:!0,left:0,width:0,top:0,height:0},e.select),Dn=ge.show?ht(Vd,ge.over?y:g):null;function Il(u,h){if(ge.show){for(let p in u)ge[p]=u[p],p in Ti&&ve(Dn,p,u[p]);h!==!1&&Re("setSelect")}}l.setSelect=Il;function sc(u){if(v[u].show)Te&&Os(Ee[u],gn);else if(Te&&nt(Ee[u],gn),He){let p=kn?at[0]:at[u];p!=null&&At(p,-10,-10,Q,B)}}function Ht(u,h,p){Si(u,{min:h,max:p})}function kt(u,h,p,_){h.focus!=null&&cc(u),h.show!=null&&v.forEach((w,S)=>{S>0&&(u==S||u==null)&&(w.show=h.show,sc(S),i==2?(Ht(w.facets[0].scale,null,null),Ht(w.facets[1].scale,null,null)):Ht(w.scale,null,null),In())}),p!==!1&&Re("setSeries",u,h),_&&rl("setSeries",l,u,h)}l.setSeries=kt;function rc(u,h){Me(I[u],h)}function oc(u,h){u.fill=ee(u.fill||null),u.dir=ie(u.dir,-1),h=h??I.length,I.splice(h,0,u)}function ac(u){u==null?I.length=0:I.splice(u,1)}l.addBand=oc,l.setBand=rc,l.delBand=ac;function uc(u,h){v[u].alpha=h,He&&at[u]!=null&&(at[u].style.opacity=h),Te&&Ee[u]&&(Ee[u].style.opacity=h)}let Pt,Bt,sn,Rn={focus:!0};function cc(u){if(u!=sn){let h=u==null,p=xt.alpha!=1;v.forEach((_,w)=>{if(i==1||w>0){let S=h||w==0||w==u;_._focus=h?null:S,p&&uc(w,S?1:xt.alpha)}}),sn=u,p&&In()}}Te&&xn&&Be(ya,oe,u=>{K._lock||(nn(u),sn!=null&&kt(null,Rn,!0,Oe.setSeries))});function Ot(u,h,p){let _=b[h];p&&(u=u/re-(_.ori==1?Ce:de));let w=Q;_.ori==1&&(w=B,u=w-u),_.dir==-1&&(u=w-u);let S=_._min,T=_._max,N=u/w,R=S+(T-S)*N,V=_.distr;return V==3?Un(10,R):V==4?sp(R,_.asinh):V==100?_.bwd(R):R}function fc(u,h){let p=Ot(u,C,h);return yt(p,t[0],Ne,Le)}l.valToIdx=u=>yt(u,t[0]),l.posToIdx=fc,l.posToVal=Ot,l.valToPos=(u,h,p)=>b[h].ori==0?s(u,b[h],p?$e:Q,p?Ze:0):r(u,b[h],p?gt:B,p?rt:0),l.setCursor=(u,h,p)=>{pe=u.left,be=u.top,rn(null,h,p)};function fr(u,h){ve(Dn,Bn,ge.left=u),ve(Dn,ml,ge.width=h)}function hr(u,h){ve(Dn,"top",ge.top=u),ve(Dn,_l,ge.height=h)}let ll=M.ori==0?fr:hr,il=M.ori==1?fr:hr;function hc(){if(Te&&Z.live)for(let u=i==2?1:0;u<v.length;u++){if(u==0&&st)continue;let h=Z.values[u],p=0;for(let _ in h)Et[u][p++].firstChild.nodeValue=h[_]}}function Oi(u,h){if(u!=null&&(u.idxs?u.idxs.forEach((p,_)=>{ue[_]=p}):up(u.idx)||ue.fill(u.idx),Z.idx=ue[0]),Te&&Z.live){for(let p=0;p<v.length;p++)(p>0||i==1&&!st)&&dc(p,ue[p]);hc()}ot=!1,h!==!1&&Re("setLegend")}l.setLegend=Oi;function dc(u,h){let p=v[u],_=u==0&&D==2?mt:t[u],w;st?w=p.values(l,u,h)??jt:(w=p.value(l,h==null?null:_[h],u,h),w=w==null?jt:{_:w}),Z.values[u]=w}function rn(u,h,p){ur=pe,cr=be,[pe,be]=K.move(l,pe,be),K.left=pe,K.top=be,He&&(An&&At(An,Ie(pe),0,Q,B),Nn&&At(Nn,0,Ie(be),Q,B));let _,w=Ne>Le;Pt=fe,Bt=null;let S=M.ori==0?Q:B,T=M.ori==1?Q:B;if(pe<0||ze==0||w){_=K.idx=null;for(let N=0;N<v.length;N++){let R=at[N];R!=null&&At(R,-10,-10,Q,B)}xn&&kt(null,Rn,!0,u==null&&Oe.setSeries),Z.live&&(ue.fill(_),ot=!0)}else{let N,R,V;i==1&&(N=M.ori==0?pe:be,R=Ot(N,C),_=K.idx=yt(R,t[0],Ne,Le),V=A(t[0][_],M,S,0));let H=-10,G=-10,J=0,se=0,ne=!0,X="",$="";for(let q=i==2?1:0;q<v.length;q++){let me=v[q],xe=ue[q],Fe=xe==null?null:i==1?t[q][xe]:t[q][1][xe],ce=K.dataIdx(l,q,_,R),ke=ce==null?null:i==1?t[q][ce]:t[q][1][ce];if(ot=ot||ke!=Fe||ce!=xe,ue[q]=ce,q>0&&me.show){let Xe=ce==null?-10:ce==_?V:A(i==1?t[0][ce]:t[q][0][ce],M,S,0),Ge=ke==null?-10:F(ke,i==1?b[me.scale]:b[me.facets[1].scale],T,0);if(xn&&ke!=null){let ut=M.ori==1?pe:be,_t=Ae(xt.dist(l,q,ce,Ge,ut));if(_t<Pt){let Mt=xt.bias;if(Mt!=0){let et=Ot(ut,me.scale),ct=ke>=0?1:-1,vt=et>=0?1:-1;vt==ct&&(vt==1?Mt==1?ke>=et:ke<=et:Mt==1?ke<=et:ke>=et)&&(Pt=_t,Bt=q)}else Pt=_t,Bt=q}}if(ot||kn){let ut,_t;M.ori==0?(ut=Xe,_t=Ge):(ut=Ge,_t=Xe);let Mt,et,ct,vt,Tt,Ye,tt=!0,on=Ve.bbox;if(on!=null){tt=!1;let Ue=on(l,q);ct=Ue.left,vt=Ue.top,Mt=Ue.width,et=Ue.height}else ct=ut,vt=_t,Mt=et=Ve.size(l,q);if(Ye=Ve.fill(l,q),Tt=Ve.stroke(l,q),kn)q==Bt&&Pt<=xt.prox&&(H=ct,G=vt,J=Mt,se=et,ne=tt,X=Ye,$=Tt);else{let Ue=at[q];Ue!=null&&(On[q]=ct,Mn[q]=vt,Ma(Ue,Mt,et,tt),ka(Ue,Ye,Tt),At(Ue,dt(ct),dt(vt),Q,B))}}}}if(kn){let q=xt.prox,me=sn==null?Pt<=q:Pt>q||Bt!=sn;if(ot||me){let xe=at[0];xe!=null&&(On[0]=H,Mn[0]=G,Ma(xe,J,se,ne),ka(xe,X,$),At(xe,dt(H),dt(G),Q,B))}}}if(ge.show&&Wt)if(u!=null){let[N,R]=Oe.scales,[V,H]=Oe.match,[G,J]=u.cursor.sync.scales,se=u.cursor.drag;if(Pe=se._x,De=se._y,Pe||De){let{left:ne,top:X,width:$,height:q}=u.select,me=u.scales[G].ori,xe=u.posToVal,Fe,ce,ke,Xe,Ge,ut=N!=null&&V(N,G),_t=R!=null&&H(R,J);ut&&Pe?(me==0?(Fe=ne,ce=$):(Fe=X,ce=q),ke=b[N],Xe=A(xe(Fe,G),ke,S,0),Ge=A(xe(Fe+ce,G),ke,S,0),ll(bt(Xe,Ge),Ae(Ge-Xe))):ll(0,S),_t&&De?(me==1?(Fe=ne,ce=$):(Fe=X,ce=q),ke=b[R],Xe=F(xe(Fe,J),ke,T,0),Ge=F(xe(Fe+ce,J),ke,T,0),il(bt(Xe,Ge),Ae(Ge-Xe))):il(0,T)}else Ci()}else{let N=Ae(ur-or),R=Ae(cr-ar);if(M.ori==1){let J=N;N=R,R=J}Pe=je.x&&N>=je.dist,De=je.y&&R>=je.dist;let V=je.uni;V!=null?Pe&&De&&(Pe=N>=V,De=R>=V,!Pe&&!De&&(R>N?De=!0:Pe=!0)):je.x&&je.y&&(Pe||De)&&(Pe=De=!0);let H,G;Pe&&(M.ori==0?(H=Ln,G=pe):(H=Pn,G=be),ll(bt(H,G),Ae(G-H)),De||il(0,T)),De&&(M.ori==1?(H=Ln,G=pe):(H=Pn,G=be),il(bt(H,G),Ae(G-H)),Pe||ll(0,S)),!Pe&&!De&&(ll(0,0),il(0,0))}if(je._x=Pe,je._y=De,u==null){if(p){if(Sr!=null){let[N,R]=Oe.scales;Oe.values[0]=N!=null?Ot(M.ori==0?pe:be,N):null,Oe.values[1]=R!=null?Ot(M.ori==1?pe:be,R):null}rl(vs,l,pe,be,Q,B,_)}if(xn){let N=p&&Oe.setSeries,R=xt.prox;sn==null?Pt<=R&&kt(Bt,Rn,!0,N):Pt>R?kt(null,Rn,!0,N):Bt!=sn&&kt(Bt,Rn,!0,N)}}ot&&(Z.idx=_,Oi()),h!==!1&&Re("setCursor")}let Gt=null;Object.defineProperty(l,"rect",{get(){return Gt==null&&sl(!1),Gt}});function sl(u=!1){u?Gt=null:(Gt=y.getBoundingClientRect(),Re("syncRect",Gt))}function dr(u,h,p,_,w,S,T){K._lock||Wt&&u!=null&&u.movementX==0&&u.movementY==0||(Mi(u,h,p,_,w,S,T,!1,u!=null),u!=null?rn(null,!0,!0):rn(h,!0,!1))}function Mi(u,h,p,_,w,S,T,N,R){if(Gt==null&&sl(!1),nn(u),u!=null)p=u.clientX-Gt.left,_=u.clientY-Gt.top;else{if(p<0||_<0){pe=-10,be=-10;return}let[V,H]=Oe.scales,G=h.cursor.sync,[J,se]=G.values,[ne,X]=G.scales,[$,q]=Oe.match,me=h.axes[0].side%2==1,xe=M.ori==0?Q:B,Fe=M.ori==1?Q:B,ce=me?S:w,ke=me?w:S,Xe=me?_:p,Ge=me?p:_;if(ne!=null?p=$(V,ne)?o(J,b[V],xe,0):-10:p=xe*(Xe/ce),X!=null?_=q(H,X)?o(se,b[H],Fe,0):-10:_=Fe*(Ge/ke),M.ori==1){let ut=p;p=_,_=ut}}R&&(h==null||h.cursor.event.type==vs)&&((p<=1||p>=Q-1)&&(p=dn(p,Q)),(_<=1||_>=B-1)&&(_=dn(_,B))),N?(or=p,ar=_,[Ln,Pn]=K.move(l,p,_)):(pe=p,be=_)}let Ti={width:0,height:0,left:0,top:0};function Ci(){Il(Ti,!1)}let pr,gr,mr,_r;function vr(u,h,p,_,w,S,T){Wt=!0,Pe=De=je._x=je._y=!1,Mi(u,h,p,_,w,S,T,!0,!1),u!=null&&(Be(ws,xs,wr,!1),rl(va,l,Ln,Pn,Q,B,null));let{left:N,top:R,width:V,height:H}=ge;pr=N,gr=R,mr=V,_r=H}function wr(u,h,p,_,w,S,T){Wt=je._x=je._y=!1,Mi(u,h,p,_,w,S,T,!1,!0);let{left:N,top:R,width:V,height:H}=ge,G=V>0||H>0,J=pr!=N||gr!=R||mr!=V||_r!=H;if(G&&J&&Il(ge),je.setScale&&G&&J){let se=N,ne=V,X=R,$=H;if(M.ori==1&&(se=R,ne=H,X=N,$=V),Pe&&Ht(C,Ot(se,C),Ot(se+ne,C)),De)for(let q in b){let me=b[q];q!=C&&me.from==null&&me.min!=fe&&Ht(q,Ot(X+$,q),Ot(X,q))}Ci()}else K.lock&&(K._lock=!K._lock,rn(h,!0,u!=null));u!=null&&(bn(ws,xs),rl(ws,l,pe,be,Q,B,null))}function pc(u,h,p,_,w,S,T){if(K._lock)return;nn(u);let N=Wt;if(Wt){let R=!0,V=!0,H=10,G,J;M.ori==0?(G=Pe,J=De):(G=De,J=Pe),G&&J&&(R=pe<=H||pe>=Q-H,V=be<=H||be>=B-H),G&&R&&(pe=pe<Ln?0:Q),J&&V&&(be=be<Pn?0:B),rn(null,!0,!0),Wt=!1}pe=-10,be=-10,ue.fill(null),rn(null,!0,!0),N&&(Wt=N)}function yr(u,h,p,_,w,S,T){K._lock||(nn(u),fi(),Ci(),u!=null&&rl(ba,l,pe,be,Q,B,null))}function br(){E.forEach(kg),ci(l.width,l.height,!0)}mn(Zl,Yn,br);let Fn={};Fn.mousedown=vr,Fn.mousemove=dr,Fn.mouseup=wr,Fn.dblclick=yr,Fn.setSeries=(u,h,p,_)=>{let w=Oe.match[2];p=w(l,h,p),p!=-1&&kt(p,_,!0,!1)},He&&(Be(va,y,vr),Be(vs,y,dr),Be(wa,y,u=>{nn(u),sl(!1)}),Be(ya,y,pc),Be(ba,y,yr),Ns.add(l),l.syncRect=sl);let Al=l.hooks=e.hooks||{};function Re(u,h,p){Ei?nl.push([u,h,p]):u in Al&&Al[u].forEach(_=>{_.call(null,l,h,p)})}(e.plugins||[]).forEach(u=>{for(let h in u.hooks)Al[h]=(Al[h]||[]).concat(u.hooks[h])});let Er=(u,h,p)=>p,Oe=Me({key:null,setSeries:!1,filters:{pub:Na,sub:Na},scales:[C,v[1]?v[1].scale:null],match:[La,La,Er],values:[null,null]},K.sync);Oe.match.length==2&&Oe.match.push(Er),K.sync=Oe;let Sr=Oe.key,Ii=Cu(Sr);function rl(u,h,p,_,w,S,T){Oe.filters.pub(u,h,p,_,w,S,T)&&Ii.pub(u,h,p,_,w,S,T)}Ii.sub(l);function gc(u,h,p,_,w,S,T){Oe.filters.sub(u,h,p,_,w,S,T)&&Fn[u](null,h,p,_,w,S,T)}l.pub=gc;function mc(){Ii.unsub(l),Ns.delete(l),Qt.clear(),Ms(Zl,Yn,br),c.remove(),oe?.remove(),Re("destroy")}l.destroy=mc;function Ai(){Re("init",e,t),Xs(t||e.data,!1),L[C]?Si(C,L[C]):fi(),xl=ge.show&&(ge.width>0||ge.height>0),tn=ot=!0,ci(e.width,e.height)}return v.forEach(Qs),E.forEach(qu),n?n instanceof HTMLElement?(n.appendChild(c),Ai()):n(l,Ai):Ai(),l}We.assign=Me;We.fmtNum=js;We.rangeNum=Xl;We.rangeLog=ni;We.rangeAsinh=Fs;We.orient=vn;We.pxRatio=re;We.join=mp;We.fmtDate=Ws,We.tzDate=Mp;We.sync=Cu;{We.addGap=ug,We.clipGaps=si;let e=We.paths={points:Du};e.linear=Fu,e.stepped=hg,e.bars=dg,e.spline=gg}return bc(Og);})();
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
	default: () => input_pipeline_default,
	keys: () => keys
});

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
	work: ["--device-any", "Fastest worker"],
	skew: ["--waiting", "Skew: slowest minus fastest"]
}, shown = {};
function sayTitles(titles) {
	shown = titles;
}
var WORDS = [
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
function categoryTitle(key) {
	return shown[key];
}
function titleOf(name) {
	return categoryTitle(name.replace(/_ms$/, "")) ?? known(name)?.[1];
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
], MEMORY = [
	[2 ** 40, "TiB"],
	[2 ** 30, "GiB"],
	[2 ** 20, "MiB"],
	[2 ** 10, "KiB"],
	[1, "B"]
], BYTE_RATE = BYTES.map(([factor, symbol]) => [factor, `${symbol}/s`]), FLOP_RATE = [
	[1e15, "PFLOP/s"],
	[1e12, "TFLOP/s"],
	[1e9, "GFLOP/s"],
	[1e6, "MFLOP/s"],
	[1e3, "kFLOP/s"],
	[1, "FLOP/s"]
], SCALED = {
	ps: [1, TIME],
	ns: [1e3, TIME],
	us: [1e6, TIME],
	ms: [1e9, TIME],
	s: [1e12, TIME],
	bytes: [1, BYTES],
	/** Bytes of memory, which comes in powers of two: what a page makes of `bytes`. */
	memory: [1, MEMORY],
	bytes_per_s: [1, BYTE_RATE],
	gb_s: [1e9, BYTE_RATE],
	gflop_s: [1e9, FLOP_RATE],
	tflops: [1e12, FLOP_RATE]
}, IN_NAMES = ["mhz", "gb_s", "gflop_s", "tflops"];
function unitInName(name) {
	return IN_NAMES.find((unit) => name === unit || name.endsWith(`_${unit}`)) ?? "";
}
function unitOf({ name, unit }) {
	return unit === "bytes" && name.endsWith("memory_bytes") ? "memory" : unit || unitInName(name);
}
var SYMBOLS = { "": "", count: "", per_s: "/s", mhz: " MHz" }, EXACT = {
	us: "µs",
	bytes: "B",
	memory: "B",
	count: "",
	bytes_per_s: "B/s",
	gb_s: "GB/s",
	gflop_s: "GFLOP/s",
	tflops: "TFLOP/s",
	per_s: "/s",
	mhz: "MHz"
}, EPOCH_PS = 3 * 365 * 86400 * 1e12, UNKNOWN = "–";
function grouped(value) {
	return value.toLocaleString("en-US", { maximumFractionDigits: 20 });
}
function whole(value) {
	return grouped(value < 0 ? -Math.round(-value) : Math.round(value));
}
function threeDigits(value) {
	if (value === 0) return "0";
	let size = Math.abs(value);
	return size >= 999.5 ? whole(value) : size < 1e-4 ? value > 0 ? "< 0.0001" : "> -0.0001" : value.toPrecision(3);
}
function scaled(base, scale) {
	let size = Math.abs(base);
	if (scale === TIME && size < 1) return base > 0 ? "< 1 ps" : "> -1 ps";
	let [factor, symbol] = scale.find(([f]) => size >= f * 0.9995) ?? scale[scale.length - 1];
	return `${factor === 1 && Number.isInteger(base) ? grouped(base) : threeDigits(base / factor)} ${symbol}`;
}
function percent(share) {
	return formatPercent(share * 100);
}
function formatPercent(value) {
	let size = Math.abs(value);
	return value === 0 ? "0 %" : size < 0.01 ? value > 0 ? "< 0.01 %" : "> -0.01 %" : value > 99.99 && value < 100 ? "> 99.99 %" : `${size < 9.995 || size >= 99.95 && size < 100 ? value.toFixed(2) : threeDigits(value)} %`;
}
function formatNumber(value, unit) {
	if (!Number.isFinite(value)) return UNKNOWN;
	if (unit === "share") return percent(value);
	if (unit === "percent") return formatPercent(value);
	if (unit === "id") return String(value);
	let [one, scale] = SCALED[unit] ?? [];
	if (!one || !scale)
		return (Number.isInteger(value) ? grouped(value) : threeDigits(value)) + (SYMBOLS[unit] ?? ` ${unit}`);
	let base = value * one;
	return base === 0 ? "0" : scale === TIME && base > EPOCH_PS ? formatTime(base / 1e9) : scaled(base, scale);
}
function formatValue(value, unit) {
	return value == null ? UNKNOWN : typeof value == "boolean" ? value ? "yes" : "no" : typeof value == "number" ? formatNumber(value, unit) : value;
}
function formatCell(value, column) {
	return formatValue(value, unitOf(column));
}
function exactCell(value, column) {
	return exactValue(value, unitOf(column));
}
function exactValue(value, unit) {
	return value == null ? "unknown" : typeof value != "number" || unit === "share" || unit === "id" || unit === "" ? String(value) : `${grouped(value)} ${EXACT[unit] ?? unit}`.trim();
}
function isNumeric(column) {
	return column.dtype !== "text" && column.dtype !== "bool";
}
function plural(word) {
	return /(s|x|ch|sh)$/.test(word) ? `${word}es` : /[^aeiou]y$/.test(word) ? `${word.slice(0, -1)}ies` : `${word}s`;
}
var PARTS = ["share", "percent"], NAMED = {
	algorithm_gb_s: "Algorithm bandwidth",
	bottleneck_us: "Bottleneck time",
	bus_gb_s: "Bus bandwidth",
	copy_ms: "Copy time",
	gb_s: "Bandwidth",
	overlapped_collective_ms: "Overlapped collectives",
	overlapped_ms: "Overlapped",
	overlapped_share: "Overlapped %",
	host_op_ms: "Host op time",
	host_wait_ms: "Host launched late",
	in_use_count: "Buffers in use",
	kernel_ms: "Kernel time",
	kernel_wait_ms: "Launch latency",
	lag_ms: "Lag",
	lost_ms: "Straggler wait",
	merged_count: "Merged",
	more_ps: "Δ self (B − A)",
	op_ms: "Op time",
	peak_gb_s: "Peak bandwidth",
	peak_tflops: "Peak FLOP rate",
	shown_count: "Shown",
	times_slowest: "Times slowest",
	starved_share: "Launched late %",
	step_allocated_bytes: "Allocated per step",
	step_time_typical_ms: "Typical step time",
	undrawn_count: "Not drawn",
	unattributed_ms: "Unattributed",
	wait_step_ms: "Wait per step",
	work_ms: "Excl. communication"
};
function label(column) {
	let unit = unitOf(column), suffix = unit === "memory" ? "bytes" : unit, stem = suffix && suffix !== "gflop_s" && column.name.endsWith(`_${suffix}`) ? column.name.slice(0, -suffix.length - 1) : column.name, isPlural = column.unit === "count" && stem !== column.name, category = column.unit === "ms" ? categoryTitle(stem) : void 0;
	if (category) return category;
	let named2 = NAMED[column.name];
	if (named2) return named2;
	if (column.dtype === "bool" && stem.startsWith("tensor_core_")) return stem.replace("tensor_core_", "TC ");
	let words4 = (isPlural ? plural(stem) : stem).replace(/(^|_)gflop_s$/, "$1FLOP_rate").replaceAll("_", " ").replace(/(\d)bit\b/, "$1-bit").replace(/ ([ab])$/, (side) => side.toUpperCase()).replace(/\b(tf32|mxu|hbm|flop|cpu|sm|sd)\b/, (word) => word.toUpperCase());
	return words4.charAt(0).toUpperCase() + words4.slice(1) + (PARTS.includes(column.unit) ? " %" : "");
}
function formatBytes(bytes2) {
	return formatNumber(bytes2, "bytes");
}
function formatTime(ms) {
	let date = new Date(ms), two = (n) => String(n).padStart(2, "0");
	return `${`${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`} ${two(date.getHours())}:${two(date.getMinutes())}`;
}
function formatAge(ms, now) {
	let seconds = (now - ms) / 1e3;
	return seconds < 60 ? "just now" : seconds < 3600 ? `${Math.floor(seconds / 60)} min ago` : seconds < 86400 ? `${Math.floor(seconds / 3600)} h ago` : formatTime(ms);
}
function counted(count, word) {
	return `${grouped(count)} ${count === 1 ? word : plural(word)}`;
}

// src/views/chart.ts
var PS = { ps: 1, ns: 1e3, us: 1e6, ms: 1e9, s: 1e12 };
function numbers(data, name) {
	return (data.columns[name] ?? []).map((cell) => typeof cell == "number" ? cell : null);
}
function chartOf(view, spec, data) {
	let x = spec.columns.find((column) => column.name === view.label);
	if (!x) return null;
	let begins = numbers(data, x.name), rows = begins.flatMap((begin, row) => begin === null ? [] : [row]), known3 = view.values.flatMap((name) => spec.columns.filter((column) => column.name === name)).map((column) => ({ column, all: numbers(data, column.name) })).map(({ column, all }) => ({ column, values: rows.map((row) => all[row] ?? null) })).filter(({ values }) => values.some((value) => value !== null)), units = [...new Set(known3.map(({ column }) => column.unit))].slice(0, 2), lines = known3.filter(({ column }) => units.includes(column.unit));
	if (!lines.length) return null;
	let origin = x.unit in PS ? begins[rows[0]] : 0, starts = rows.map((row) => begins[row] - origin), lengths = numbers(data, x.name.replace(/^start_/, "duration_")), ends2 = x.name.startsWith("start_") && rows.every((row) => typeof lengths[row] == "number") ? starts.map((start, i) => start + lengths[rows[i]]) : null;
	return { x, starts, ends: ends2, rows, origin, lines, units };
}
function points({ starts, ends: ends2, lines }) {
	if (!ends2) return [[...starts], ...lines.map(({ values }) => [...values])];
	let last2 = starts.length - 1;
	return [[...starts, ends2[last2]], ...lines.map(({ values }) => [...values, values[last2] ?? null])];
}
function rowAt({ starts, ends: ends2 }, x) {
	let after = starts.findIndex((start) => start > x), row = Math.max(0, after < 0 ? starts.length - 1 : after - 1), next2 = starts[row + 1];
	return !ends2 && next2 !== void 0 && next2 - x < x - starts[row] ? row + 1 : row;
}
function middle({ starts, ends: ends2 }, row) {
	return ends2 ? (starts[row] + ends2[row]) / 2 : starts[row];
}
function moved(key, row, count) {
	let last2 = count - 1, far = Math.max(1, Math.round(count / 10)), steps = { ArrowLeft: -1, ArrowRight: 1, PageUp: -far, PageDown: far };
	if (key === "Home") return 0;
	if (key === "End") return last2;
	let step = steps[key];
	return step === void 0 ? null : row === null ? step > 0 ? 0 : last2 : Math.min(last2, Math.max(0, row + step));
}
function intervalOf({ x, starts, ends: ends2, origin }, row) {
	let ps2 = PS[x.unit];
	return !ends2 || ps2 === void 0 ? null : [Math.floor((starts[row] + origin) * ps2), Math.ceil((ends2[row] + origin) * ps2)];
}
function tickText(value, unit) {
	return formatNumber(value, unit).replace(/(\.\d*?)0+(?!\d)/, (_, kept2) => kept2 === "." ? "" : kept2);
}
function placeOf({ x, starts, ends: ends2 }, row) {
	let start = formatNumber(starts[row], x.unit);
	return ends2 ? `at ${start} for ${formatNumber(ends2[row] - starts[row], x.unit)}` : `${label(x)} ${start}`;
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
function extent({ values }, { starts, ends: ends2 }) {
	let [low, high, sum, weight, unknown] = [1 / 0, -1 / 0, 0, 0, 0];
	return values.forEach((value, row) => {
		if (value === null) return void unknown++;
		let part = ends2 ? ends2[row] - starts[row] : 1;
		low = Math.min(low, value), high = Math.max(high, value), sum += value * part, weight += part;
	}), { low, high, mean: sum / (weight || 1), unknown };
}
function inWords(chart) {
	let { x, starts, ends: ends2, lines } = chart, reach = (ends2 ?? starts)[starts.length - 1] - starts[0], sentences = lines.map((line) => {
		let { low, high, mean, unknown } = extent(line, chart), [from, to, average] = [low, high, mean].map((value) => formatNumber(value, line.column.unit)), gaps = unknown ? `, unknown in ${counted(unknown, "row")}` : "";
		return `${lineName(line)}: ${from} to ${to}, ${average} on average${gaps}.`;
	});
	return [`${counted(starts.length, "row")} over ${formatNumber(reach, x.unit)}.`, ...sentences].join(" ");
}

// library:preact/jsx-runtime
var { Fragment: Fragment2, jsx, jsxAttr, jsxDEV, jsxEscape, jsxTemplate, jsxs } = libraries["preact/jsx-runtime"];

// src/views/options.tsx
function given({ tool, selection }) {
	let names = new Set(tool.options.map((option) => option.name));
	return Object.fromEntries(Object.entries(selection.params).filter(([name]) => names.has(name)));
}
function Control({ option, value, set }) {
	let change = (event) => set(event.currentTarget.value);
	return option.kind === "flag" ? jsx(
		"input",
		{
			type: "checkbox",
			checked: value === "true",
			onChange: (event) => set(String(event.currentTarget.checked))
		}
	) : option.choices.length ? jsx("select", { value, onChange: change, children: option.choices.map((choice) => jsx("option", { children: choice }, choice)) }) : option.kind === "text" ? jsx("input", { type: "text", value, onChange: change }) : jsx(
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
function Options({ options: options2, params, set }) {
	if (!options2.length) return null;
	let change = (option, value) => {
		let { [option.name]: _old, ...rest } = params;
		set(value === String(option.default ?? "") ? rest : { ...rest, [option.name]: value });
	};
	return jsx("div", { class: "options", children: options2.map((option) => jsxs("label", { title: option.help, children: [
		option.name.replaceAll("_", " "),
		" ",
		jsx(
			Control,
			{
				option,
				value: params[option.name] ?? String(option.default ?? ""),
				set: (value) => change(option, value)
			}
		)
	] }, option.name)) });
}

// src/views/limited.ts
var MOST = 2e5;
function addresses(page, table) {
	let options2 = page.tool.options.some(({ name }) => name === "limit") ? { ...given(page), limit: "0" } : given(page);
	return { csv: page.api.url({ ...options2, format: "csv", table }), json: page.api.url(options2) };
}
function wholeOf({ name, count }, { summary: summary3 }, page) {
	let rows = summary3[count || `${name}_rows`];
	if (typeof rows != "number") return;
	let limit = rows <= MOST ? "0" : String(MOST);
	return {
		count: rows,
		words: rows <= MOST ? "Show all" : `Show ${grouped(MOST)}`,
		more: () => page.navigate({ params: { ...page.selection.params, limit } }, "replace")
	};
}

// library:uplot
var { default: whole2 } = libraries.uplot;

// src/frame.ts
function host() {
	return window.frameElement ? window.parent : window;
}
var outer = host();
function isShown() {
	return document.visibilityState === "visible" && window.innerHeight > 0;
}
function takeFocus() {
	if (outer === window || !isShown()) return;
	let { activeElement, body } = outer.document;
	(!activeElement || activeElement === body) && window.focus();
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

// src/views/plot.ts
function usePlot(make, inputs, end) {
	let box = useRef(null), plot = useRef(null);
	return useEffect(() => {
		let [element, made3] = [box.current, make()];
		if (!made3 || !element) return;
		let fit = () => {
			let width = Math.floor(element.clientWidth);
			width <= 0 || (plot.current ? plot.current.setSize({ width, height: plot.current.height }) : plot.current = new whole2(made3.options(width), made3.points, element));
		}, sizes = new ResizeObserver(fit);
		sizes.observe(element);
		let forget2 = onTheme(() => plot.current?.redraw(!1, !0));
		return fit(), () => {
			sizes.disconnect(), forget2(), plot.current?.destroy(), plot.current = null, end?.();
		};
	}, inputs), { box, plot };
}

// src/clipboard.ts
function copyBySelection(text3) {
	let area = document.createElement("textarea");
	area.value = text3, area.className = "offscreen";
	let focused = document.activeElement;
	document.body.append(area), area.select();
	let done = document.execCommand("copy");
	return area.remove(), focused?.focus(), done;
}
async function copyText(text3) {
	return window.isSecureContext ? navigator.clipboard.writeText(text3).then(
		() => !0,
		() => copyBySelection(text3)
	) : copyBySelection(text3);
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
function mark({ columns }, rows) {
	let text3 = JSON.stringify(Object.values(columns).map((cells) => rows.map((row) => cells[row]))), hash = 0;
	for (let i = 0; i < text3.length; i++) hash = 31 * hash + text3.charCodeAt(i) | 0;
	return (hash >>> 0).toString(36);
}
function rangeText({ from, to }, data, shown3) {
	return `${from}-${to}.${mark(data, [shown3[from], shown3[to]])}`;
}
function rangeOf(text3, data, shown3) {
	let found = /^(\d{1,8})-(\d{1,8})\./.exec(text3);
	if (!found) return null;
	let range = { from: Number(found[1]), to: Number(found[2]) };
	return Math.max(range.from, range.to) < shown3.length && rangeText(range, data, shown3) === text3 ? range : null;
}
function useChosen(data, shown3, text3, save, scrollTo) {
	let range = useMemo(() => rangeOf(text3, data, shown3), [text3, data, shown3]);
	useEffect(() => {
		range && scrollTo(range.to);
	}, []);
	let reach = (to, extend) => save(rangeText({ from: extend && range ? range.from : to, to }, data, shown3)), rows = range ? shown3.slice(Math.min(range.from, range.to), Math.max(range.from, range.to) + 1) : [], onKey = (event) => {
		let step = STEPS.get(event.key);
		if (step === void 0) return !1;
		event.preventDefault();
		let to = Math.min(shown3.length - 1, Math.max(0, (range?.to ?? -1) + step));
		return to < 0 || (reach(to, event.shiftKey), scrollTo(to)), !0;
	};
	return {
		rows,
		at: range ? shown3[range.to] : void 0,
		onClick: (event, index) => reach(index, event.shiftKey),
		onKey
	};
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
	let onKeyDown2 = (event) => {
		event.key !== "Escape" || !open || (event.stopPropagation(), close());
	}, onFocusOut = (event) => {
		event.relatedTarget && !root.current?.contains(event.relatedTarget) && setOpen(!1);
	};
	return jsxs(
		"div",
		{
			class: `popover ${props.class ?? ""}`,
			style: props.style,
			ref: root,
			onKeyDown: onKeyDown2,
			onFocusOut,
			children: [
				jsx(
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
				open && jsx("div", { class: "popover-panel", role: "dialog", "aria-label": props.label, children: props.children(close) })
			]
		}
	);
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
	memory: 1,
	b: 1,
	kb: 1e3,
	mb: 1e6,
	gb: 1e9,
	kib: 2 ** 10,
	mib: 2 ** 20,
	gib: 2 ** 30,
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
function equality(word, columns, data) {
	let [, name = "", operator, wanted3 = ""] = /^([a-z_]\w*)(!=|=)(.*)$/is.exec(word) ?? [];
	if (!columns.find((c) => c.name === name && !isNumeric(c))) return null;
	let cells = cellsNamed(data, name) ?? [], text3 = unquoted(wanted3);
	return (row) => String(cells[row] ?? "") === text3 == (operator === "=");
}
function unquoted(word) {
	return word.startsWith('"') ? word.slice(1).replace(/"$/, "") : word;
}
function onlyWith(column, text3) {
	return text3.length > MOST_LETTERS || text3.includes('"') ? `"${text3.slice(0, MOST_LETTERS).split('"')[0]}"` : `${column}=${/^\S+$/.test(text3) ? text3 : `"${text3}"`}`;
}
var MOST_LETTERS = 300;
function contains(word, columns, data) {
	let wanted3 = word.toLowerCase(), texts3 = columns.filter((c) => !isNumeric(c)).map((c) => data.columns[c.name] ?? []);
	return (row) => texts3.some(
		(cells) => String(cells[row] ?? "").toLowerCase().includes(wanted3)
	);
}
function wordsOf(text3) {
	return text3.match(/(?:[^\s"]|"[^"]*"?)+/g) ?? [];
}
function parseFilter(text3, columns, data) {
	return wordsOf(text3).filter((word) => word !== "-").map((word) => {
		let negative = word.startsWith("-"), bare = negative ? word.slice(1) : word, test = comparison(bare, columns, data) ?? equality(bare, columns, data) ?? contains(unquoted(bare), columns, data);
		return negative ? (row) => !test(row) : test;
	});
}
function rowTest(filter, columns, data) {
	let tests = parseFilter(filter, columns, data);
	return (row) => tests.every((test) => test(row));
}
function compareCells(a, b, sign) {
	return a == null ? b == null ? 0 : 1 : b == null ? -1 : typeof a == "string" && typeof b == "string" ? sign * (a < b ? -1 : a > b ? 1 : 0) : sign * (Number(a) - Number(b));
}
function cellsNamed(data, name) {
	return Object.hasOwn(data.columns, name) ? data.columns[name] : void 0;
}
function rowCount(data) {
	return Object.values(data.columns)[0]?.length ?? 0;
}
function rowsOf({ tables }, table) {
	return rowCount(tables[table] ?? { columns: {} });
}
function number(value) {
	return typeof value == "number" ? value : null;
}
function pickRows(data, columns, filter, sort) {
	let test = rowTest(filter, columns, data), rows = [];
	for (let row = 0; row < rowCount(data); row++) test(row) && rows.push(row);
	let cells = sort && cellsNamed(data, sort.column);
	return sort && cells && rows.sort((a, b) => compareCells(cells[a], cells[b], sort.down ? -1 : 1)), rows;
}
var ADDITIVE = ["self_us", "self_ms", "total_us", "total_ms"];
function together(data, columns, rows) {
	let column = ADDITIVE.flatMap((name) => columns.find((one) => one.name === name) ?? [])[0], cells = column && data.columns[column.name];
	return !column || !cells ? null : { value: rows.reduce((sum, row) => sum + (typeof cells[row] == "number" ? cells[row] : 0), 0), unit: column.unit };
}
function toTsv(data, columns, rows) {
	let clean = (value) => String(value ?? "").replace(/[\t\r\n]+/g, " "), line = (row) => columns.map((c) => clean(data.columns[c.name]?.[row])).join("	");
	return [columns.map((c) => c.name).join("	"), ...rows.map(line)].join(`
`);
}

// src/views/columns.ts
var LETTER_PX = 7.3, HEAD_PX = 6.9, WIDE_LETTERS = /[A-Zmw]/g, WIDER = 0.4, PADDING_PX = 16, SORT_MARK_PX = 14, SAMPLES = 300, MOST_LETTERS2 = 24, ELASTIC_LETTERS = 60;
function wanted2({ columns }, show2) {
	return show2.length ? show2.flatMap((name) => columns.filter((c) => c.name === name)) : columns;
}
function isEmpty(cells = []) {
	return cells.length > 0 && cells.every((cell) => cell === null || cell === "");
}
var WALL_ROWS = 3, WALL = 0.75;
function zeros(cells = []) {
	let known3 = cells.filter((cell) => cell !== null && cell !== "");
	return known3.length ? known3.filter((cell) => cell === 0).length / known3.length : 0;
}
function telling(spec, data, names) {
	return rowCount(data) < WALL_ROWS ? names : (names.length ? names : spec.columns.map(({ name }) => name)).filter((name) => zeros(data.columns[name]) < 1);
}
function sparse(columns, data) {
	if (rowCount(data) < WALL_ROWS) return /* @__PURE__ */ new Set();
	let parts2 = columns.map(({ name }) => [name, zeros(data.columns[name])]);
	return new Set(parts2.flatMap(([name, part]) => part >= WALL && part < 1 ? [name] : []));
}
function longest(column, data, count) {
	let cells = data.columns[column.name] ?? [], step = Math.max(1, Math.floor(count / SAMPLES)), most = 0;
	for (let row = 0; row < count; row += step) most = Math.max(most, formatCell(cells[row], column).length);
	return Math.min(most, ELASTIC_LETTERS);
}
function headPx(text3) {
	return (text3.length + WIDER * (text3.match(WIDE_LETTERS)?.length ?? 0)) * HEAD_PX;
}
function measure(columns, data, isNarrow = !1) {
	let count = rowCount(data), measured2 = columns.map((column) => ({ column, letters: longest(column, data, count) })), texts3 = measured2.filter(({ column }) => !isNumeric(column)), most = Math.max(0, ...texts3.map(({ letters }) => letters)), first = texts3.find(({ letters }) => letters === most)?.column;
	return measured2.map(({ column, letters }) => {
		let isShared = letters < most || isNarrow && column !== first, head = headPx(label(column)) + SORT_MARK_PX, body = (isShared ? Math.min(letters, MOST_LETTERS2) : letters) * LETTER_PX;
		return { column, px: Math.ceil(Math.max(head, body, 40) + PADDING_PX) };
	});
}
function elastic(widths) {
	return widths.filter(({ column }) => !isNumeric(column)).reduce((best, one) => best && best.px >= one.px ? best : one, null)?.column.name ?? "";
}

// src/views/column_picker.tsx
function ColumnPicker({ spec, data, show: show2, state, setState, hidden = [] }) {
	let first = wanted2(spec, show2).map(({ name }) => name), shown3 = state.columns ?? first, rest = spec.columns.filter(({ name }) => !first.includes(name)), offered = [...wanted2(spec, show2), ...rest].filter(
		({ name }) => !isEmpty(data.columns[name]) && !hidden.includes(name)
	);
	if (state.columns === null && offered.every(({ name }) => shown3.includes(name))) return null;
	let turn = ({ name }, on) => {
		let next2 = on ? [...shown3, name] : shown3.filter((one) => one !== name);
		next2.length && setState({ ...state, columns: next2.join() === first.join() ? null : next2 });
	}, text3 = `Columns ${offered.filter(({ name }) => shown3.includes(name)).length}/${offered.length}`;
	return jsx(Popover, { label: `Columns of ${spec.title}`, button: jsxs(Fragment2, { children: [
		text3,
		" ▾"
	] }), class: "columns-popover", children: () => jsxs(Fragment2, { children: [
		jsx("ul", { children: offered.map((column) => jsx("li", { children: jsxs("label", { title: column.help, children: [
			jsx(
				"input",
				{
					type: "checkbox",
					checked: shown3.includes(column.name),
					onChange: (event) => turn(column, event.currentTarget.checked)
				}
			),
			" ",
			label(column)
		] }) }, column.name)) }),
		jsxs("p", { class: "offers", children: [
			jsx("button", { type: "button", onClick: () => setState({ ...state, columns: offered.map(({ name }) => name) }), children: "All" }),
			jsx("button", { type: "button", onClick: () => setState({ ...state, columns: null }), children: "Reset" })
		] })
	] }) });
}

// src/views/copy_button.tsx
var SAID_MS = 1500;
function CopyButton({ text: text3, label: label2, title = label2 }) {
	let [said4, say3] = useState("");
	return jsx("button", { type: "button", class: "copy", title, onClick: async () => {
		say3(await copyText(text3()) ? "Copied" : "Not allowed"), setTimeout(() => say3(""), SAID_MS);
	}, children: jsx("span", { "aria-live": "polite", children: said4 || label2 }) });
}

// src/views/name.tsx
var ONE_WIDTH = /^[ -~]*$/;
function tailOf(letters) {
	return letters.includes("/") ? 40 : 14;
}
function Name({ text: text3, title = text3, ...given2 }) {
	let letters = [...text3], tail = Math.min(given2.tail ?? tailOf(letters), letters.length - 12), end = letters.slice(-tail).join("");
	return letters.length < 12 + Math.min(14, given2.tail ?? 14) || !ONE_WIDTH.test(end) ? jsx("span", { class: "name", title, children: text3 }) : jsxs("span", { class: "name cut", title, style: { "--tail": `${tail}ch` }, children: [
		jsx("span", { class: "name-head", children: letters.slice(0, -tail).join("") }),
		jsx("span", { class: "name-tail", children: jsx("bdi", { dir: "ltr", children: end }) })
	] });
}

// src/views/table_parts.tsx
var FEW_ROWS = 12, ELASTIC_PX = 240, ELASTIC_SHARE = 0.4, FILTER_HELP = [
	"All words must be in the row; -word must not.",
	`A column's whole text: type=MatMul  name="a b"  side!=host`,
	"Comparisons with a column's name or its prefix: self_us>100  self>1.5ms  occ>=10  self_share<5%"
].join(`
`);
function ColumnWidths({ widths }) {
	let wide = elastic(widths);
	return jsx("colgroup", { children: widths.map(({ column, px }) => jsx("col", { style: column.name === wide ? {} : { width: `${px}px` } }, column.name)) });
}
function leastWidth(widths, room = ELASTIC_PX) {
	let wide = elastic(widths), most = Math.min(room, ELASTIC_SHARE * window.innerWidth);
	return widths.reduce((sum, { column, px }) => sum + (column.name === wide ? Math.min(px, most) : px), 0);
}
var AROUND_PX = 48, LETTER_PX2 = 7.3;
function linesOf(widths, data, { lines = 1, room }) {
	if (lines === 1) return 1;
	let wide = elastic(widths), others = widths.reduce((sum, { column, px: px2 }) => sum + (column.name === wide ? 0 : px2), 0), px = Math.max(leastWidth(widths, room), window.innerWidth - AROUND_PX) - others - AROUND_PX, longest2 = (data.columns[wide] ?? []).reduce((most, text3) => Math.max(most, String(text3).length), 0);
	return Math.min(lines, Math.max(1, Math.ceil(longest2 * LETTER_PX2 / px)));
}
function nextSort(sort, column) {
	let first = isNumeric(column);
	return sort?.column !== column.name ? { column: column.name, down: first } : sort.down === first ? { column: column.name, down: !first } : null;
}
function Head({ columns, sort, setSort }) {
	return jsx("thead", { children: jsx("tr", { "aria-rowindex": 1, children: columns.map((column) => jsx(
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
	return jsx("th", { scope: "col", "aria-label": name, "aria-sort": direction, class: isNumeric(column) ? "number" : "", children: jsxs("button", { type: "button", "aria-label": `Sort by ${name}`, title: `${column.help}
${column.name}`, onClick: press2, children: [
		name,
		jsx("i", { "aria-hidden": "true", children: sort ? sort.down ? " ▾" : " ▴" : "" })
	] }) });
}
function shareOf(value, unit) {
	return unit === "share" ? value : unit === "percent" ? value / 100 : null;
}
var SENTENCES = /* @__PURE__ */ new Set(["why_unknown", "advice", "help"]), MARKS = { yes: "✓ yes", no: "no" }, MARK_HELP = { [UNKNOWN]: "unknown" };
function Cell({ column, value, title: whole4, lines, isQuiet, lead }) {
	let text3 = formatCell(value, column);
	if (column.dtype === "bool") return jsx("td", { title: MARK_HELP[text3], children: MARKS[text3] ?? text3 });
	if (SENTENCES.has(column.name))
		return jsx("td", { class: "words", title: whole4 ?? (text3 || column.help), children: text3 });
	if (lines > 1)
		return jsx("td", { class: "text", title: whole4 ?? text3, children: jsx("span", { class: "name wrapped", style: { "--lines": lines }, children: text3 }) });
	if (!isNumeric(column))
		return jsx("td", { class: "text", title: text3 ? void 0 : column.help, children: jsx(Name, { text: text3, title: whole4 ?? text3 }) });
	let exact = exactCell(value, column), title = value == null ? `${exact}
${column.help}` : exact;
	if (isQuiet && value === 0) return jsx("td", { class: "number", title });
	let share = typeof value == "number" ? shareOf(value, column.unit) : null;
	return jsxs("td", { class: share === null ? "number" : "number share", title, children: [
		share !== null && jsx("b", { style: { width: `${100 * Math.min(1, Math.max(0, share))}%` } }),
		lead && value !== null && value !== void 0 ? jsx(
			"button",
			{
				type: "button",
				class: "link",
				title: `${exact}
${lead.what}`,
				onClick: (event) => {
					event.stopPropagation(), lead.open();
				},
				children: text3
			}
		) : jsx("span", { children: text3 })
	] });
}
function Cells({ columns, data, row, full = {}, quiet, wrapped, lines = 1, lead }) {
	return columns.map((column) => {
		let whole4 = data.columns[full[column.name] ?? ""]?.[row], title = typeof whole4 == "string" ? { title: whole4 } : {}, value = data.columns[column.name]?.[row], leads = lead?.columns.includes(column.name) ? lead : null;
		return jsx(
			Cell,
			{
				column,
				value,
				...title,
				lines: column.name === wrapped ? lines : 1,
				isQuiet: quiet.has(column.name),
				lead: leads && { what: leads.what, open: () => leads.open(row, column.name) }
			},
			column.name
		);
	});
}
function rowsText(shown3, total2) {
	return shown3 < total2 ? `${grouped(shown3)} of ${grouped(total2)} rows` : total2 > FEW_ROWS ? `${grouped(total2)} rows` : "";
}
function Shortened({ total: total2, whole: whole4 }) {
	return jsxs("span", { class: "shortened", title: "Only the largest rows are loaded, sorted and filtered. CSV and JSON hold all.", children: [
		"showing ",
		grouped(total2),
		" of ",
		grouped(whole4.count),
		" ",
		jsx("button", { type: "button", onClick: whole4.more, children: whole4.words })
	] });
}
function TableBar(props) {
	let { title, spec, shown: shown3, total: total2, whole: whole4, sum = null, empty, state, setState, children } = props, isShort = whole4 !== void 0 && whole4.count > total2;
	return jsxs("div", { class: "table-bar", children: [
		jsx("h2", { title: spec.help, children: title }),
		total2 > FEW_ROWS && jsx(
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
		jsxs("span", { class: "soft", role: "status", children: [
			isShort && shown3 === total2 ? "" : rowsText(shown3, total2),
			sum && shown3 < total2 && shown3 > 0 && `, total ${formatNumber(sum.value, sum.unit)}`
		] }),
		isShort && jsx(Shortened, { total: total2, whole: whole4 }),
		empty.length > 0 && jsxs("span", { class: "soft", title: empty.map((c) => `${label(c)}: ${c.help}`).join(`
`), children: [
			counted(empty.length, "empty column"),
			" hidden"
		] }),
		jsx("div", { class: "table-acts", children })
	] });
}

// library:@tanstack/virtual-core
var { Virtualizer, _resetIOSDetectionForTests, approxEqual, debounce, defaultKeyExtractor, defaultRangeExtractor, elementScroll, measureElement, memo, notUndefined, observeElementOffset, observeElementRect, observeWindowOffset, observeWindowRect, windowScroll } = libraries["@tanstack/virtual-core"];

// src/views/virtual.ts
function useVirtualRows(scroller, count, heightPx, headPx2 = 0) {
	let [, redraw] = useReducer((n) => n + 1, 0), options2 = {
		count,
		overscan: 8,
		scrollPaddingStart: headPx2,
		getScrollElement: () => scroller.current,
		estimateSize: () => heightPx,
		observeElementRect,
		observeElementOffset,
		scrollToFn: elementScroll,
		onChange: () => redraw(0)
	}, [rows] = useState(() => new Virtualizer(options2));
	return rows.setOptions(options2), useLayoutEffect(() => rows._didMount(), []), useLayoutEffect(() => rows._willUpdate()), rows;
}

// src/views/table.tsx
var ROW_PX = 24, LINE_PX = 16, NARROW_PX = 1e3;
function useShown({ spec, data, show: show2 = [], state: { filter, sort, columns: own } }) {
	let names = own ?? show2, asked3 = useMemo(() => wanted2(spec, names), [spec, names.join()]), columns = useMemo(() => asked3.filter((c) => !isEmpty(data.columns[c.name])), [asked3, data]), widths = useMemo(() => measure(columns, data, window.innerWidth < NARROW_PX), [columns, data]), quiet = useMemo(() => sparse(columns, data), [columns, data]), key = [data, spec, filter, sort?.column, sort?.down], rows = useMemo(() => pickRows(data, spec.columns, filter, sort), key), sum = useMemo(() => filter ? together(data, spec.columns, rows) : null, [rows]);
	return { columns, widths, quiet, rows, sum, empty: asked3.filter((c) => !columns.includes(c)) };
}
var COPY_HELP = "Copy the selected rows, or all, as TSV with exact values";
function copyLabel(chosen2) {
	return chosen2 > 1 ? `Copy ${chosen2} rows` : "Copy";
}
function Links({ csv, json }) {
	return jsxs(Fragment2, { children: [
		jsx("a", { href: csv, download: !0, title: "Download this table", children: "CSV" }),
		jsx("a", { href: json, target: "_blank", title: "The whole answer", children: "JSON" })
	] });
}
function Gap({ px }) {
	return px > 0 ? jsx("tr", { "aria-hidden": "true", style: { height: `${px}px` } }) : null;
}
function Acts({ acts, row }) {
	return acts.filter(({ can }) => can(row)).map(({ what, open }) => jsx("button", { type: "button", onClick: () => open(row), children: what }, what));
}
function actOf({ data, find: find2, open }) {
	return open || !find2 || !data.columns.name ? open : (row) => {
		let name = data.columns.name?.[row];
		typeof name == "string" && find2(name);
	};
}
function DataTable(props) {
	let { title, spec, data, show: show2 = [], csv, json, state, setState, more, whole: whole4, full, also = [], cells } = props, { columns, widths, quiet, rows, sum, empty } = useShown(props), lines = useMemo(() => linesOf(widths, data, props), [widths, data, props.lines, props.room]), scroller = useRef(null), virtual = useVirtualRows(scroller, rows.length, ROW_PX + (lines - 1) * LINE_PX / 2, ROW_PX), chosen2 = useChosen(
		data,
		rows,
		state.rows,
		(text3) => setState({ ...state, rows: text3 }),
		(index) => virtual.scrollToIndex(index)
	), items = virtual.getVirtualItems(), act = actOf(props), copied2 = columns.map((column) => spec.columns.find(({ name }) => name === full?.[column.name]) ?? column), tsv = () => toTsv(data, copied2, chosen2.rows.length ? chosen2.rows : rows), open = (row) => {
		row !== void 0 && (props.can?.(row) ?? !0) && act?.(row);
	}, onKeyDown2 = (event) => {
		if (event.target !== scroller.current || chosen2.onKey(event)) return;
		event.key === "c" && (event.ctrlKey || event.metaKey) && chosen2.rows.length && !String(getSelection()) ? copyText(tsv()) : event.key === "Enter" && open(chosen2.at);
	};
	return jsxs("div", { class: "data-table", children: [
		jsxs(TableBar, { title, spec, empty, state, setState, whole: whole4, sum, shown: rows.length, total: rowCount(data), children: [
			more,
			act && chosen2.rows.length === 1 && (props.can?.(chosen2.rows[0]) ?? !0) && jsx("button", { type: "button", onClick: () => open(chosen2.at), children: props.open ? props.what : "Find in trace ▸" }),
			chosen2.rows.length === 1 && jsx(Acts, { acts: also, row: chosen2.rows[0] }),
			jsx(ColumnPicker, { spec, data, show: show2, state, setState }),
			jsx(CopyButton, { text: tsv, label: copyLabel(chosen2.rows.length), title: COPY_HELP }),
			jsx(Links, { csv, json })
		] }),
		jsx("div", { class: "table-scroll", ref: scroller, tabIndex: 0, role: "region", "aria-label": title, onKeyDown: onKeyDown2, children: jsxs("table", { style: { minWidth: `${leastWidth(widths, props.room)}px` }, "aria-rowcount": rows.length + 1, children: [
			jsx("caption", { class: "offscreen", children: spec.help }),
			jsx(ColumnWidths, { widths }),
			jsx(Head, { columns, sort: state.sort, setSort: (sort) => setState({ ...state, sort }) }),
			jsxs("tbody", { children: [
				jsx(Gap, { px: items[0]?.start ?? 0 }),
				items.map(({ index }) => jsx(
					"tr",
					{
						...lines > 1 ? { ref: virtual.measureElement, "data-index": index } : {},
						"aria-rowindex": index + 2,
						"aria-selected": chosen2.rows.includes(rows[index]),
						onClick: (event) => chosen2.onClick(event, index),
						onDblClick: () => open(rows[index]),
						children: jsx(
							Cells,
							{
								columns,
								data,
								full,
								quiet,
								lines,
								wrapped: lines > 1 ? elastic(widths) : "",
								row: rows[index],
								lead: chosen2.rows.length === 1 && rows[index] === chosen2.at ? cells : void 0
							}
						)
					},
					index
				)),
				jsx(Gap, { px: virtual.getTotalSize() - (items[items.length - 1]?.end ?? 0) })
			] })
		] }) })
	] });
}

// src/views/lines.tsx
var KEYS = [
	["← → Home End", "in a chart: previous, next, first, last value (Page keys: further)"],
	["Enter", "in a chart over time: show the interval in the trace"]
], HEIGHT_PX = 100, AXIS = { size: 48, gap: 4, font: "11px system-ui, sans-serif" }, FILL = "30", FEWEST = 0.1;
function rangeOf2(unit) {
	let least = unit === "count" ? FEWEST : 0;
	return (_plot, _low, high) => unit === "share" ? [0, Math.max(1, high ?? 1)] : [0, Math.max(high || 1, least) * 1.05];
}
function axisOf(unit, place2) {
	return {
		...AXIS,
		scale: unit || "value",
		side: place2 === 0 ? 3 : 1,
		space: 28,
		stroke: () => colour("--soft"),
		grid: { show: place2 === 0, stroke: () => colour("--sunken"), width: 1 },
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
		paths: level2 ? whole2.paths.stepped({ align: 1 }) : void 0
	};
}
function optionsOf(chart, width, hover) {
	let { x, units, lines, ends: ends2 } = chart;
	return {
		width,
		height: HEIGHT_PX,
		padding: [8, units.length > 1 ? 0 : 24, 0, 0],
		legend: { show: !1 },
		scales: {
			x: { time: !1 },
			...Object.fromEntries(units.map((unit) => [unit || "value", { range: rangeOf2(unit) }]))
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
		series: [{}, ...lines.map((line) => seriesOf(line, ends2 !== null))],
		cursor: { y: !1, points: { show: !1 }, drag: { x: !1, y: !1, setScale: !1 } },
		hooks: {
			setCursor: [
				(plot) => {
					let left2 = plot.cursor.left ?? -1;
					hover(left2 < 0 ? null : rowAt(chart, plot.posToVal(left2, "x")));
				}
			]
		}
	};
}
function Legend({ title, help, chart, row, csv, json }) {
	return jsxs("div", { class: "lines-bar", children: [
		jsxs("p", { class: "legend", children: [
			jsx("b", { title: help, children: row === null ? title : placeOf(chart, row) }),
			chart.lines.map((line) => jsxs("span", { title: row === null ? line.column.help : exactLineValue(line, row), children: [
				jsx("i", { style: { background: `var(${categoryOf(line.column.name)})` } }),
				lineName(line),
				jsx("output", { children: row === null ? `⌀ ${formatNumber(extent(line, chart).mean, line.column.unit)}` : lineValue(line, row) })
			] }, line.column.name))
		] }),
		jsx(Links, { csv, json })
	] });
}
function Lines({ title, view, spec, data, csv, json, open }) {
	let chart = useMemo(() => chartOf(view, spec, data), [view, spec, data]), words4 = useMemo(() => chart && inWords(chart), [chart]), [row, setRow] = useState(null), { box, plot } = usePlot(
		() => chart && { options: (width) => optionsOf(chart, width, setRow), points: points(chart) },
		[chart],
		() => setRow(null)
	);
	if (!chart) return jsx("p", { class: "soft", children: "Nothing to draw: no rows, or all values are unknown." });
	let go2 = () => {
		let interval = row === null ? null : intervalOf(chart, row);
		interval && open?.({ data, row: chart.rows[row], column: null }, interval);
	}, onKeyDown2 = (event) => {
		if (event.ctrlKey || event.metaKey || event.altKey) return;
		let next2 = moved(event.key, row, chart.starts.length);
		if (next2 !== null)
			plot.current?.setCursor({ left: plot.current.valToPos(middle(chart, next2), "x"), top: 0 }), setRow(next2);
		else if (event.key === "Enter") go2();
		else return;
		event.preventDefault();
	}, said4 = row === null ? null : chart.lines.map((line) => `${lineName(line)} ${lineValue(line, row)}`);
	return jsxs("div", { class: "lines", children: [
		jsx(Legend, { title, help: spec.help, chart, row, csv, json }),
		jsx(
			"div",
			{
				ref: box,
				class: open && chart.ends ? "plot opens" : "plot",
				tabIndex: 0,
				role: "slider",
				"aria-label": title,
				"aria-description": words4 ?? "",
				"aria-valuemin": 0,
				"aria-valuemax": chart.starts.length - 1,
				"aria-valuenow": row ?? 0,
				"aria-valuetext": said4 && row !== null ? `${placeOf(chart, row)}: ${said4.join(", ")}` : words4 ?? "",
				title: open && chart.ends ? "Click to show this interval in the trace" : void 0,
				onClick: go2,
				onKeyDown: onKeyDown2
			}
		)
	] });
}

// src/views/links.ts
function mark2({ host: host2, start_ps, end_ps, track, tracks }) {
	let on = tracks || (track >= 0 ? String(track) : "");
	return `${encodeURIComponent(host2)}:${start_ps}-${end_ps}${on && `@${on}`}`;
}
function inTrace(where, all = [where]) {
	let marks = [where, ...all.filter((other) => other !== where)].slice(0, 64).map(mark2);
	return {
		tool: "trace_viewer",
		params: { ...around(where.start_ps, where.end_ps), clock: where.host, marks: marks.join() }
	};
}
function around(start_ps, end_ps) {
	let margin = Math.ceil((end_ps - start_ps) * 0.1);
	return { start_ps: String(Math.max(0, start_ps - margin)), end_ps: String(end_ps + margin) };
}
function stretchInTrace(start_ps, end_ps) {
	return { tool: "trace_viewer", params: { ...around(start_ps, end_ps), range: `${start_ps}-${end_ps}` } };
}
function memoryInTrace({ summary: summary3, tables }, start_ps, end_ps, room = 0) {
	let { memory: memory2 = [], host: host2 = [], track = [] } = tables.systems?.columns ?? {}, row = memory2.indexOf(summary3.memory ?? null), [at, on] = [host2[row], track[row]], way = typeof at == "string" ? inTrace({ ...{ start_ps, end_ps, track: typeof on == "number" ? on : -1, tracks: "" }, host: at }) : stretchInTrace(start_ps, end_ps);
	if (!room) return way;
	let view = { start_ps: String(Math.max(0, start_ps - room)), end_ps: String(end_ps + room) };
	return { ...way, params: { ...way.params, ...view } };
}
function toProof({ tool, search: search2, match, evidence }, where) {
	if (tool !== "trace_viewer") return { tool };
	let found = search2 ? searchInTrace(search2, match) : { tool };
	if (where && match === "row" && search2) {
		let view = { ...around(where.start_ps, where.end_ps), clock: where.host };
		return { tool, params: { ...view, ...found.params } };
	}
	return where ? inTrace(where, evidence) : found;
}
function searchInTrace(search2, match = "text") {
	return { tool: "trace_viewer", params: { search: search2, ...match === "text" ? {} : { match } } };
}
function matchesInTrace(expression) {
	return searchInTrace(expression, "regex");
}
function literally(text3) {
	return text3.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
}
function eventsInTrace(name) {
	let [head, tail, ...more] = name.split("…");
	return tail !== void 0 && !more.length ? matchesInTrace(`^${literally(head)}.*${literally(tail)}$`) : searchInTrace(name, "exact");
}
var SEEN = 190;
function kernelInTrace(name, short) {
	if (!name || name === short) return eventsInTrace(short);
	let last2 = short.split("::").at(-1), end = name.length > SEEN ? "" : "$";
	return matchesInTrace(`^(?:${literally(name.slice(0, SEEN))}${end}|_Z.*${last2.length}${literally(last2)})`);
}
function copiesInTrace(kind) {
	let [, from, to] = /^(\w)2(\w)$/.exec(kind) ?? [];
	return from && to ? matchesInTrace(`memcpy\\s*${from}(?:to|2)${to}`) : searchInTrace(kind === "fill" ? "memset" : kind);
}

// src/views/proof.ts
var TEXT_MAX = 100;
function digestOf(text3) {
	let hash = 2166136261;
	for (let i = 0; i < text3.length; i++) hash = Math.imul(hash ^ text3.charCodeAt(i), 16777619) >>> 0;
	return hash.toString(16).padStart(8, "0");
}
function valueText(value) {
	let text3 = String(value);
	return text3.length <= TEXT_MAX ? text3 : `${text3.slice(0, TEXT_MAX).replace(/[\uD800-\uDBFF]$/, "")}…${digestOf(text3)}`;
}
function encoded(text3) {
	return encodeURIComponent(text3.replace(/\p{Surrogate}/gu, "�"));
}
function cellText({ tool, selection }, { spec, data, row, column }) {
	let proved = spec.proved.find((name) => name === column) ?? spec.proved[0];
	if (proved === void 0) return null;
	let valueOf = (name) => spec.columns.some((one) => one.name === name) ? cellsNamed(data, name)?.[row] : selection.params[name], words4 = spec.key.flatMap((name) => {
		let value = valueOf(name) ?? null;
		return value === null ? [] : [`${name}=${encoded(valueText(value))}`];
	});
	return `${tool.name}.${spec.name}.${proved}${words4.length ? `?${words4.join("&")}` : ""}`;
}
function cellInTrace(page, cell, stretch3 = null) {
	let search2 = cellText(page, cell);
	return search2 === null ? null : { tool: "trace_viewer", params: { ...stretch3 ? around(...stretch3) : {}, search: search2, match: "row" } };
}
var PS_PER_MS = 1e9;
function stretchOfRow({ columns }, row) {
	let [start, length2] = [columns.start_ms?.[row], columns.duration_ms?.[row]];
	return typeof start != "number" || typeof length2 != "number" ? null : [Math.floor(start * PS_PER_MS), Math.ceil((start + length2) * PS_PER_MS)];
}
function waysOf(page, spec, data) {
	let [main] = spec.proved;
	if (main === void 0) return null;
	let open = (row, column) => {
		let way = cellInTrace(page, { spec, data, row, column }, stretchOfRow(data, row));
		way && page.navigate(way);
	};
	return {
		act: { what: "Show in trace ▸", can: (row) => (data.columns[main]?.[row] ?? null) !== null, open: (row) => open(row, null) },
		cells: { columns: spec.proved, what: "Show the counted events in the trace", open }
	};
}
function openerOf(page, spec) {
	return Object.assign((at, stretch3) => {
		let way = cellInTrace(page, { spec, ...at }, stretch3) ?? (stretch3 && stretchInTrace(...stretch3));
		way && page.navigate(way);
	}, { always: spec.proved.length > 0 });
}
function stretchOpener({ navigate }) {
	return Object.assign((_at, stretch3) => {
		stretch3 && navigate(stretchInTrace(...stretch3));
	}, { always: !1 });
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
		return this.state.error === null ? this.props.children : jsxs("section", { class: "panel failure", role: "alert", children: [
			jsxs("h2", { children: [
				this.props.what,
				" could not be drawn"
			] }),
			jsx("p", { children: this.state.error }),
			jsx("p", { children: "This is a defect of this page; the rest is not affected. The numbers are available as JSON and CSV." })
		] });
	}
};

// src/views/panel.tsx
function Panel({ title, bare = !1, help, class: extra = "", children }) {
	return jsx(Boundary, { what: title, children: jsxs("section", { class: `panel ${extra}`, "aria-label": title, children: [
		title && !bare && jsx("h2", { title: help, children: title }),
		children
	] }) });
}

// src/views/stacked.ts
var PS_PER_MS2 = 1e9;
function numbers2(data, name) {
	return data.columns[name]?.map((cell) => typeof cell == "number" ? cell : null) ?? null;
}
function texts(data, name) {
	return (data.columns[name] ?? []).map((cell) => formatValue(cell, "id"));
}
function cutText(cell) {
	return typeof cell == "number" ? cell ? "cut" : "" : cell === !0 ? "cut" : cell && cell !== "no" ? String(cell) : "";
}
function sumOf(columns, rows) {
	let sums = new Array(rows).fill(0);
	for (let values of columns) for (let row = 0; row < rows; row++) sums[row] += values[row];
	return sums;
}
function stackedOf(view, spec, data) {
	let columns = view.values.flatMap((name) => spec.columns.filter((column) => column.name === name)), seen = columns.map((column) => ({ column, values: (numbers2(data, column.name) ?? []).map((v) => v ?? 0) })).filter(({ values }) => values.some((value) => value > 0));
	if (!seen.length) return null;
	let rows = seen[0].values.length, cut = Array.from({ length: rows }, (_, row) => cutText(data.columns.cut?.[row])), whole4 = cut.flatMap((text3, row) => text3 ? [] : [row]), counting = whole4.length ? whole4 : cut.map((_, row) => row), mean = (values) => counting.reduce((sum, row) => sum + values[row], 0) / counting.length, title = (column) => titleOf(column.name) ?? label(column), totals = sumOf(
		seen.map(({ values }) => values),
		rows
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
function barsOf({ parts: parts2, totals, cut }, from, to, most) {
	let count = Math.max(1, Math.min(to - from, Math.floor(most)));
	return Array.from({ length: count }, (_, i) => {
		let first = from + Math.floor(i * (to - from) / count), last2 = from + Math.floor((i + 1) * (to - from) / count) - 1, slowest = first;
		for (let row = first; row <= last2; row++) totals[row] > totals[slowest] && (slowest = row);
		let mean = (values) => {
			let sum = 0;
			for (let row = first; row <= last2; row++) sum += values[row];
			return sum / (last2 - first + 1);
		}, heights2 = parts2.map(({ values }) => mean(values));
		return { first, last: last2, parts: heights2, total: mean(totals), slowest, cut: first === last2 && cut[first] !== "" };
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
	let step = roundUp(top / 5);
	return Array.from({ length: Math.floor(top / step) + 1 }, (_, i) => i * step);
}
function stretchOf({ starts, lengths }, row) {
	let [start, length2] = [starts?.[row], lengths[row]];
	return typeof start != "number" || typeof length2 != "number" ? null : [Math.floor(start * PS_PER_MS2), Math.ceil((start + length2) * PS_PER_MS2)];
}
function whyCut(cut) {
	return cut === "last" ? "the last, without a successor: not in the mean" : `cut by the capture (${cut}): not in the mean`;
}
function rowInWords({ names, totals, parts: parts2, unit, cut }, row) {
	let said4 = parts2.filter(({ values }) => values[row] > 0).map(({ title, values }) => `${title} ${formatNumber(values[row], unit)}`), mark3 = cut[row] ? `, ${whyCut(cut[row])}` : "";
	return `${names[row]}: ${formatNumber(totals[row], unit)}${mark3}. ${said4.join(", ")}.`;
}
function stackInWords({ names, totals, parts: parts2, mean, unit }, noun) {
	let slowest = totals.reduce((best, total2, row) => total2 > totals[best] ? row : best, 0), shares = parts2.filter((part) => part.mean > 0).map((part) => `${part.title} ${formatNumber(part.mean, unit)} (${percent(part.mean / mean)})`);
	return `${counted(names.length, noun)}, ${formatNumber(mean, unit)} on average: ${shares.join(", ")}. The longest: ${names[slowest]}, ${formatNumber(totals[slowest], unit)}.`;
}

// src/views/stack_draw.ts
var LEFT = 56, [TOP, RIGHT, BOTTOM] = [10, 8, 18], LEAST_BAR = 3, MOST_BAR = 200, FONT = "11px system-ui, sans-serif";
function plotOf(stacked, from, to, width, height) {
	let room = Math.max(LEAST_BAR, width - LEFT - RIGHT), bars2 = barsOf(stacked, from, to, room / LEAST_BAR), step = Math.min(MOST_BAR, room / bars2.length), left2 = LEFT + Math.max(0, (width - LEFT - RIGHT - step * bars2.length) / 2);
	return { width, height, from, to, bars: bars2, left: left2, step, top: ceilingOf(stacked, from, to) };
}
function barAt({ bars: bars2, left: left2, step }, x) {
	let at = Math.floor((x - left2) / step);
	return at >= 0 && at < bars2.length ? at : null;
}
function partAt(plot, { parts: parts2 }, x, y) {
	let bar = barAt(plot, x);
	if (bar === null) return null;
	let base = plot.height - BOTTOM, left2 = (base - y) / (base - TOP) * plot.top;
	if (left2 < 0) return null;
	let at = plot.bars[bar].parts.findIndex((part) => (left2 -= part) < 0);
	return parts2[at]?.column.name ?? null;
}
function barOf({ bars: bars2 }, row) {
	return bars2.findIndex(({ last: last2 }) => row <= last2);
}
function centre({ left: left2, step }, bar) {
	return left2 + (bar + 0.5) * step;
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
	let { from, to, bars: bars2, step, width, height } = plot, short = (row) => names[row].length > 16 ? `${names[row].slice(0, 15)}…` : names[row], rowsApart = (Math.max(...[from, to - 1].map((row) => ctx.measureText(short(row)).width)) + 16) / step * (to - from) / bars2.length, every = Math.max(1, roundUp(rowsApart));
	ctx.textAlign = "center", ctx.textBaseline = "alphabetic", ctx.fillStyle = colour("--soft");
	let first = from;
	for (; first < from + every && Number(names[first]) % every; ) first++;
	for (let row = first < from + every ? first : from; row < to; row += every) {
		let half2 = ctx.measureText(short(row)).width / 2;
		ctx.fillText(short(row), Math.max(half2, Math.min(centre(plot, barOf(plot, row)), width - half2)), height - 5);
	}
}
function meanLine(ctx, plot, mean, unit, y) {
	if (mean <= 0 || mean >= plot.top) return;
	let text3 = `⌀ ${formatNumber(mean, unit)}`, [right, at] = [plot.width - RIGHT, Math.round(y(mean)) + 0.5];
	ctx.strokeStyle = colour("--text"), ctx.setLineDash([4, 3]), ctx.beginPath(), ctx.moveTo(LEFT, at), ctx.lineTo(right, at), ctx.stroke(), ctx.setLineDash([]);
	let { width } = ctx.measureText(text3), above = at > TOP + 12;
	ctx.fillStyle = colour("--panel"), ctx.globalAlpha = 0.85, ctx.fillRect(right - width - 6, above ? at - 15 : at + 1, width + 6, 14), ctx.globalAlpha = 1, ctx.fillStyle = colour("--text"), ctx.textAlign = "right", ctx.textBaseline = "middle", ctx.fillText(text3, right - 3, above ? at - 8 : at + 8);
}
function drawStack(ctx, plot, stacked, mean, at) {
	let { width, height, bars: bars2, step, top } = plot, base = height - BOTTOM, y = (value) => base - Math.min(value, top) / top * (base - TOP);
	ctx.clearRect(0, 0, width, height), ctx.font = FONT, axis(ctx, plot, stacked.unit, y);
	let ground = colour("--panel"), fills = stacked.parts.map(({ variable }) => colour(variable)), [hatch, text3, soft] = [stripes(ctx, ground), colour("--text"), colour("--soft")], gap = step >= 4 ? Math.min(6, Math.max(1, step * 0.12)) : 0;
	bars2.forEach((bar, i) => {
		let [begin, end] = [i, i + 1].map((n) => plot.left + n * step).map((px) => gap ? px : Math.round(px)), [x, wide] = [begin + gap / 2, end - begin - gap];
		i === at && (ctx.fillStyle = colour("--hover"), ctx.fillRect(x - gap / 2, TOP - 4, step, base - TOP + 4));
		let sum = 0;
		bar.parts.forEach((part, k) => {
			if (part <= 0) return;
			let [low, high] = [y(sum), y(sum += part)];
			ctx.fillStyle = fills[k], ctx.fillRect(x, high, wide, low - high);
		}), bar.cut && hatch && (ctx.fillStyle = hatch, ctx.fillRect(x, y(sum), wide, base - y(sum))), ctx.fillStyle = soft, bar.last > bar.first && ctx.fillRect(x, y(stacked.totals[bar.slowest]) - 1, wide, 1.5), stacked.totals[bar.slowest] > top && arrow(ctx, x, wide, ground, text3);
	}), labels(ctx, plot, stacked.labels), meanLine(ctx, plot, mean, stacked.unit, y);
}
function arrow(ctx, x, wide, ground, text3) {
	ctx.fillStyle = ground, ctx.fillRect(x, TOP + 3, wide, 2), ctx.fillStyle = text3, ctx.beginPath(), ctx.moveTo(x + wide / 2 - 4, TOP), ctx.lineTo(x + wide / 2, TOP - 6), ctx.lineTo(x + wide / 2 + 4, TOP), ctx.fill();
}

// src/views/stack.tsx
var KEYS2 = [
	["← → Home End", "in a bar chart: previous, next, first, last bar (Page keys: further)"],
	["Enter", "in a bar chart: show the bar in the trace"],
	["+ −, or drag", "in a bar chart: fewer bars, or more; Esc: all"]
], HEIGHT_PX2 = 180, SMALL = 0.01, DRAG_PX = 5;
function Legend2({ stacked, quiet }) {
	let { parts: parts2, none, unit, mean } = stacked, small = quiet ? parts2.filter((part) => part.mean < SMALL * mean) : [];
	return jsxs("p", { class: "legend", children: [
		(small.length > 1 ? parts2.filter((part) => !small.includes(part)) : parts2).map((part) => jsxs("span", { title: `${part.column.help}
⌀ ${exactValue(part.mean, unit)}`, children: [
			jsx("i", { style: { background: `var(${part.variable})` } }),
			part.title,
			!quiet && ` ${formatNumber(part.mean, unit)} `,
			!quiet && jsx("span", { class: "soft", children: percent(mean ? part.mean / mean : 0) })
		] }, part.column.name)),
		small.length > 1 && jsxs("span", { title: small.map(({ title, mean: part }) => `${title} ${formatNumber(part, unit)}`).join(`
`), children: [
			small.map(({ column, variable }) => jsx("i", { style: { background: `var(${variable})` } }, column.name)),
			small.length,
			" others"
		] }),
		none.length > 0 && !quiet && jsxs("span", { class: "soft none", title: none.join(", "), children: [
			"+",
			counted(none.length, "zero category")
		] })
	] });
}
function Parts({ stacked, row }) {
	let { parts: parts2, totals, unit } = stacked, shown3 = parts2.filter(({ values }) => values[row] > 0).reverse();
	return jsx("table", { children: jsx("tbody", { children: shown3.map(({ column, title, variable, values }) => jsxs("tr", { children: [
		jsxs("td", { children: [
			jsx("i", { style: { background: `var(${variable})` } }),
			" ",
			title
		] }),
		jsx("td", { class: "number", children: formatNumber(values[row], unit) }),
		jsx("td", { class: "number soft", children: percent(values[row] / totals[row]) })
	] }, column.name)) }) });
}
function Tip({ stacked, plot, row, noun }) {
	let bar = plot.bars[barOf(plot, row)];
	if (!bar) return null;
	let x = centre(plot, barOf(plot, row)), style = x > plot.width / 2 ? { right: `${plot.width - x + 12}px` } : { left: `${x + 12}px` }, among = bar.last > bar.first ? `of ${counted(bar.last - bar.first + 1, noun)} here, ` : "";
	return jsxs("div", { class: "chart-tip", style, role: "tooltip", children: [
		jsxs("p", { children: [
			jsx("b", { children: stacked.names[row] }),
			" ",
			formatNumber(stacked.totals[row], stacked.unit)
		] }),
		among && jsxs("p", { class: "soft", children: [
			row === bar.slowest ? `the longest ${among}` : among,
			formatNumber(bar.total, stacked.unit),
			" on average"
		] }),
		stacked.cut[row] && jsx("p", { class: "cut", children: whyCut(stacked.cut[row]) }),
		jsx(Parts, { stacked, row })
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
function rangeOf3(bars2, rows) {
	let [, from, to] = (/^(\d{1,9})-(\d{1,9})$/.exec(bars2) ?? []).map(Number);
	return from !== void 0 && to !== void 0 && from < to && to <= rows ? { from, to } : null;
}
function zoomed({ from, to }, row, factor, rows) {
	let size = Math.max(1, Math.min(rows, Math.round((to - from) / factor))), begin = Math.max(0, Math.min(rows - size, Math.round(row - (row - from) / (to - from) * size)));
	return { from: begin, to: begin + size };
}
function Stack(props) {
	let { view, spec, data } = props, stacked = useMemo(() => stackedOf(view, spec, data), [view, spec, data]);
	return stacked ? jsx(Chart, { ...props, stacked }) : jsxs("p", { class: "soft", children: [
		props.title,
		": nothing to draw; no row, or every value is zero or unknown."
	] });
}
function Chart({
	title,
	spec,
	data,
	csv,
	json,
	open,
	stacked,
	noun = "row",
	quiet = !1,
	hasLegend = !1,
	...given2
}) {
	let { height = HEIGHT_PX2, mean = stacked.mean } = given2, rows = stacked.names.length, all = useMemo(() => ({ from: 0, to: rows }), [stacked]), [row, setRow] = useState(null);
	useEffect(() => setRow(null), [all]);
	let range = useMemo(() => rangeOf3(given2.bars, rows) ?? all, [given2.bars, all]), setZoom = ({ from, to }) => given2.setBars(to - from < rows ? `${from}-${to}` : ""), { canvas, plot } = useCanvas(stacked, range, row, mean ?? stacked.mean, height), words4 = useMemo(() => stackInWords(stacked, noun), [stacked, noun]), leads = open !== void 0 && (open.always || stacked.starts !== null), go2 = (part) => {
		row !== null && open?.({ data, row, column: part }, stretchOf(stacked, row));
	}, pointer = usePointer(plot, stacked, setRow, go2, setZoom), onKeyDown2 = (event) => {
		if (event.ctrlKey || event.metaKey || event.altKey) return;
		let next2 = moved(event.key, row, rows);
		if (next2 !== null) {
			setRow(next2);
			let size = range.to - range.from;
			(next2 < range.from || next2 >= range.to) && setZoom(zoomed({ from: next2 - (size >> 1), to: next2 - (size >> 1) + size }, next2, 1, rows));
		} else if (event.key === "Enter") go2(null);
		else if (event.key === "+" || event.key === "-")
			setZoom(zoomed(range, row ?? range.from + range.to >> 1, event.key === "+" ? 2 : 0.5, rows));
		else if (event.key === "Escape" && range !== all) setZoom(all);
		else return;
		event.preventDefault();
	};
	return jsxs("div", { class: "stacked", children: [
		jsxs("div", { class: "lines-bar", children: [
			jsx("b", { title: spec.help, children: title }),
			jsx("span", { class: "grow soft", children: range.to - range.from < rows && jsxs("button", { type: "button", class: "link", onClick: () => setZoom(all), children: [
				counted(range.to - range.from, noun),
				" of ",
				rows,
				", show all"
			] }) }),
			jsx(Links, { csv, json })
		] }),
		jsx(
			Legend2,
			{
				stacked: hasLegend ? { ...stacked, parts: stacked.parts.filter((part) => !part.mean) } : stacked,
				quiet
			}
		),
		jsxs(
			"div",
			{
				class: leads ? "bars-plot opens" : "bars-plot",
				tabIndex: 0,
				role: "slider",
				"aria-label": title,
				"aria-description": words4,
				"aria-valuemin": 0,
				"aria-valuemax": rows - 1,
				"aria-valuenow": row ?? 0,
				"aria-valuetext": row === null ? words4 : rowInWords(stacked, row),
				onKeyDown: onKeyDown2,
				onBlur: () => setRow(null),
				...pointer.on,
				children: [
					jsx("canvas", { ref: canvas, style: { height: `${height}px` } }),
					pointer.drag && jsx("b", { class: "drag", style: pointer.drag }),
					plot && row !== null && !pointer.drag && jsx(Tip, { stacked, plot, row, noun })
				]
			}
		)
	] });
}
function usePointer(plot, stacked, setRow, press2, setZoom) {
	let [drag, setDrag] = useState(null), rowUnder = (x) => {
		let bar = plot && barAt(plot, x);
		return bar === null ? null : plot.bars[bar].slowest;
	}, inside2 = (x) => Math.max(plot.left, Math.min(x, plot.left + plot.step * plot.bars.length - 1)), isDrag = drag !== null && Math.abs(drag.to - drag.from) >= DRAG_PX, on = {
		onPointerDown: (event) => {
			event.button !== 0 || !plot || (event.currentTarget.setPointerCapture(event.pointerId), setDrag({ from: event.offsetX, to: event.offsetX }));
		},
		onPointerMove: (event) => {
			setRow(rowUnder(event.offsetX)), drag && setDrag({ ...drag, to: event.offsetX });
		},
		onPointerUp: (event) => {
			if (plot && drag && isDrag) {
				let [a, b] = [drag.from, drag.to].map((x) => plot.bars[barAt(plot, inside2(x))]);
				a && b && setZoom({ from: Math.min(a.first, b.first), to: Math.max(a.last, b.last) + 1 });
			} else drag && rowUnder(event.offsetX) !== null && press2(partAt(plot, stacked, event.offsetX, event.offsetY));
			setDrag(null);
		},
		onPointerLeave: () => setRow(null),
		onPointerCancel: () => setDrag(null)
	}, box = isDrag && drag ? [drag.from, drag.to].map(inside2).sort((a, b) => a - b) : null;
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
		...addresses(page, spec.name),
		bars: page.selection.params.bars ?? "",
		setBars: (bars2) => page.navigate({ params: { ...page.selection.params, bars: bars2 } }, "replace"),
		open: openerOf(page, spec)
	};
}
function StepChart({ answer, page, mean = null, ...look }) {
	let found = viewOf({ answer, page }, "stack");
	if (!found) return null;
	let shared = common(page, found.view, found.spec);
	return jsx(Panel, { title: shared.title, bare: !0, children: jsx(Stack, { ...found, ...shared, ...look, mean: mean ?? void 0 }) });
}
function LineChart(part) {
	let found = viewOf(part, "lines");
	if (!found) return null;
	let shared = common(part.page, found.view, found.spec);
	return jsx(Panel, { title: shared.title, bare: !0, children: jsx(Lines, { ...found, ...shared }) });
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
	let { columns, values } = props, known3 = columns.filter((column) => values[column.name] !== null && values[column.name] !== void 0);
	return jsxs("div", { class: "facts", children: [
		jsx("dl", { children: known3.map((column) => jsxs("div", { title: `${column.help}
${exactValue(values[column.name], column.unit)}`, children: [
			jsx("dt", { children: label(column) }),
			jsx("dd", { children: formatCell(values[column.name], column) })
		] }, column.name)) }),
		jsx(Unknown, { ...props })
	] });
}
function Unknown({ columns, unknown }) {
	let found = [...reasons(columns, unknown)];
	if (!found.length) return null;
	let names = found.flatMap(([, labels2]) => labels2);
	return jsxs("details", { class: "soft", children: [
		jsx("summary", { title: names.join(", "), children: names.length > 3 ? `${names.length} figures are unknown` : `Unknown: ${names.join(", ")}` }),
		jsx("ul", { children: found.map(([reason, labels2]) => jsxs("li", { children: [
			labels2.join(", "),
			": ",
			reason,
			"."
		] }, reason)) })
	] });
}

// src/views/words.tsx
function Words({ text: text3 }) {
	return text3.split("`").map((part, i) => i % 2 ? jsx("code", { children: part }, i) : part);
}
function WordsWithPages({
	text: text3,
	titles,
	open
}) {
	let any = Object.values(titles).map((title) => title.replace(/\W/g, ".")).join("|");
	return text3.split(new RegExp(`(the page of (?:${any})\\b|the (?:${any})'s page)`, "i")).map((part, i) => {
		let title = part.replace(/^the (page of )?|'s page$/g, "").toLowerCase(), tool = Object.keys(titles).find((name) => titles[name].toLowerCase() === title);
		return i % 2 === 0 || !tool ? jsx(Words, { text: part }, i) : jsx("button", { type: "button", class: "link", onClick: () => open(tool), children: part }, i);
	});
}

// src/views/figures.tsx
function group(title, declared) {
	let figures = Object.entries(declared).map(([name, said4]) => ({
		name,
		...typeof said4 == "string" ? { words: said4 } : said4
	}));
	return { title, figures };
}
function isShown2({ name, always }, { summary: summary3, unknown }) {
	let value = summary3[name];
	return always ? value != null || unknown[name] !== void 0 : value != null && value !== 0 && value !== "";
}
function One({
	figure,
	answer,
	columns
}) {
	let column = columns.get(figure.name);
	if (!column || !isShown2(figure, answer)) return null;
	let value = answer.summary[figure.name] ?? null, why = value === null ? `Unknown: ${answer.unknown[figure.name]}` : exactValue(value, column.unit);
	return jsx("span", { title: `${label(column)}: ${column.help}
${why}`, children: figure.words.split(/[{}]/).map((part, i) => {
		if (i % 2 === 0) return part;
		let value2 = answer.summary[part || figure.name] ?? null, shown3 = typeof value2 == "number" && figure.of ? figure.of(value2) : value2;
		return jsx("b", { children: formatCell(shown3, columns.get(part) ?? column) }, i);
	}) });
}
function Figures({ answer, page, groups }) {
	let columns = new Map(page.tool.summary.map((column) => [column.name, column])), said4 = groups.filter(({ figures }) => figures.some((figure) => isShown2(figure, answer)));
	return jsx("div", { class: "figures", children: said4.map(({ title, figures }) => jsxs("p", { children: [
		title && jsx("span", { class: "soft", children: title }),
		figures.map((figure) => jsx(One, { figure, answer, columns }, figure.name))
	] }, title)) });
}
function AllFigures({ answer, columns }) {
	let { summary: summary3, unknown } = answer, known3 = columns.filter(({ name }) => summary3[name] != null && summary3[name] !== "");
	return jsx(Popover, { label: "All figures, and why some are unknown", button: jsx(Fragment2, { children: "all figures ▸" }), class: "right all-figures", children: () => jsxs(Fragment2, { children: [
		jsx("dl", { children: known3.map((column) => jsxs("div", { title: `${column.help}
${exactValue(summary3[column.name], column.unit)}`, children: [
			jsx("dt", { children: label(column) }),
			jsx("dd", { children: jsx(Words, { text: formatCell(summary3[column.name], column) }) })
		] }, column.name)) }),
		[...reasons(columns, unknown)].map(([reason, labels2]) => jsxs("p", { children: [
			jsx("b", { children: "Unknown" }),
			", because ",
			jsx(Words, { text: reason }),
			": ",
			jsxs("span", { class: "soft", children: [
				labels2.join(", "),
				"."
			] })
		] }, reason))
	] }) });
}

// src/views/states.tsx
var Reading = createContext("Reading…");
function reading(run, hosts) {
	let files = run?.hosts.filter((host2) => !hosts.length || hosts.includes(host2.name)) ?? [];
	if (!files.length) return "Reading…";
	let bytes2 = files.reduce((sum, host2) => sum + host2.size_bytes, 0);
	return `Reading ${files.length === 1 ? files[0].name : counted(files.length, "host")}, ${formatBytes(bytes2)}…`;
}
var TITLES = {
	not_found: "Not found",
	bad_argument: "Invalid request",
	unreadable: "This capture cannot be read",
	remote: "The remote machine did not respond",
	unreachable: "TensorBoard does not respond"
};
function Failure({ error, again }) {
	return jsxs("section", { class: "panel failure", role: "alert", children: [
		jsx("h2", { children: TITLES[error.kind] ?? "The server failed" }),
		jsx("p", { class: "message", children: error.message }),
		again && jsx("p", { children: jsx("button", { type: "button", onClick: again, children: "Try again" }) })
	] });
}
function Late({ text: text3 }) {
	return jsx("p", { class: "waiting late", role: "status", children: text3 });
}
function Shown({ asked: asked3, children }) {
	let text3 = useContext(Reading), { answer, error, waiting } = asked3;
	return jsxs("div", { class: "shown", "aria-busy": waiting, children: [
		jsx("p", { class: "waiting", role: "status", children: waiting ? text3 : "" }),
		error && !waiting && jsx(Failure, { error, again: asked3.again }),
		answer && !error && jsx("div", { class: waiting ? "stack dimmed" : "stack", children: children(answer) })
	] });
}

// src/views/steps_from.tsx
var OPTION = "steps_from";
function text(answer, name) {
	return String(answer?.summary[name] ?? "");
}
function How({ answer }) {
	let { summary: summary3, unknown } = answer, title = text(answer, "step_rule_title") || text(answer, "step_rule"), left2 = Number(summary3.steps_not_counted ?? 0);
	return !title && summary3.step_count ? null : title ? jsxs(Fragment2, { children: [
		jsxs("p", { children: [
			jsx("b", { children: title }),
			" ",
			jsx("span", { class: "soft", children: text(answer, "step_confidence") })
		] }),
		jsx("p", { children: jsx(Words, { text: text(answer, "step_evidence") }) }),
		left2 > 0 && jsxs("p", { class: "soft", children: [
			counted(left2, "step"),
			" of ",
			String(summary3.step_count),
			" not in the mean: cut by the capture, or without a successor."
		] })
	] }) : jsx("p", { children: jsx(Words, { text: unknown.step_count ?? unknown.step_time_ms ?? "No steps were detected." }) });
}
function Choose({ page }) {
	let option = page.tool.options.find(({ name }) => name === OPTION), chosen2 = page.selection.params[OPTION] ?? "auto", choose = (value) => page.navigate({ params: { ...page.selection.params, [OPTION]: value === "auto" ? "" : value.trim() } }), offers = option?.offers ?? [], onSubmit = (event) => {
		event.preventDefault(), choose(String(new FormData(event.currentTarget).get(OPTION) ?? "") || "auto");
	};
	return jsxs(Fragment2, { children: [
		jsx("h2", { children: "Detect steps by" }),
		jsx("p", { class: "offers", children: offers.map((offer) => jsx("button", { type: "button", "aria-pressed": offer === chosen2, onClick: () => choose(offer), children: offer }, offer)) }),
		jsxs("form", { onSubmit, children: [
			jsxs("label", { title: option?.help, children: [
				"or an event name or /regular expression/",
				jsx(
					"input",
					{
						type: "text",
						name: OPTION,
						spellcheck: !1,
						placeholder: "train_step or /^train.*/",
						defaultValue: offers.includes(chosen2) ? "" : chosen2
					}
				)
			] }),
			" ",
			jsx("button", { type: "submit", children: "Apply" })
		] })
	] });
}
function StepsFrom({ answer, page }) {
	let rule = text(answer, "step_rule_title") || text(answer, "step_rule"), sure = text(answer, "step_confidence"), said4 = rule ? `steps from: ${rule}${sure && sure !== "certain" ? ` (${sure})` : ""}` : "steps from …";
	return jsx(Popover, { label: "How steps are detected", button: jsxs(Fragment2, { children: [
		said4,
		" ▸"
	] }), class: "right steps-from", children: () => jsxs("div", { class: "quality-details", children: [
		answer && jsx(How, { answer }),
		jsx(Choose, { page })
	] }) });
}
function ShownSteps({
	asked: asked3,
	page,
	children
}) {
	let { answer, error } = asked3, isOfSteps = error?.kind === "bad_argument" && page.selection.params[OPTION] !== void 0;
	return jsxs(Fragment2, { children: [
		isOfSteps && jsxs(Panel, { title: "", class: "refused", children: [
			jsx("p", { role: "alert", children: error.message }),
			jsx(StepsFrom, { answer: null, page })
		] }),
		(!isOfSteps || answer) && jsx(Shown, { asked: isOfSteps ? { ...asked3, error: null } : asked3, children })
	] });
}

// src/views/step_line.tsx
function StepLine({ answer, page }) {
	let { summary: summary3, unknown } = answer, value = (name) => {
		let found = summary3[name];
		return typeof found == "number" ? found : null;
	}, said4 = (name, text3, look = "") => {
		let [number3, column] = [value(name), page.tool.summary.find((c) => c.name === name)];
		if (number3 === null || !column) return null;
		let shown3 = formatNumber(number3, column.unit);
		return jsx("span", { class: look, title: `${column.help}
${exactValue(number3, column.unit)}`, children: text3(shown3) });
	}, [count, slow] = ["step_count", "slow_step_count"].map(value), [low, high] = ["step_time_min_ms", "step_time_max_ms"].map(value), why = unknown.step_time_ms, isTold = answer.findings.some(({ title, detail }) => `${title} ${detail}`.includes(why ?? ""));
	return jsxs("div", { class: "step-line", children: [
		said4("step_time_ms", (ms) => `${ms} per step`, "lead"),
		said4("step_time_sd_ms", (ms) => `±${ms}`),
		!!slow && said4("step_time_typical_ms", (ms) => `${ms} without ${counted(slow, "slow step")}`, "typical"),
		!!count && jsx("span", { children: counted(count, "step") }),
		said4("steps_per_second", (rate) => `${rate.replace(/ ?\/s$/, "")} steps/s`),
		said4("step_time_median_ms", (ms) => `median ${ms}`),
		said4("step_time_p95_ms", (ms) => `p95 ${ms}`),
		typeof low == "number" && typeof high == "number" && high > low && jsxs("span", { title: "Shortest and longest step", children: [
			formatNumber(low, "ms"),
			" – ",
			formatNumber(high, "ms")
		] }),
		why !== void 0 && jsxs("span", { class: "soft", title: why, children: [
			count ? "Step time unknown" : "No steps",
			!isTold && jsx(Words, { text: `: ${why.replace(/^no steps: /, "")}` })
		] }),
		jsxs("div", { class: "step-buttons", children: [
			jsx(StepsFrom, { answer, page }),
			jsx(AllFigures, { answer, columns: page.tool.summary })
		] })
	] });
}

// src/views/table_state.ts
function tableState(params, table) {
	let sort = params[`${table}.sort`];
	return {
		filter: params[`${table}.filter`] ?? "",
		columns: params[`${table}.columns`]?.split(",") ?? null,
		sort: sort ? { column: sort.replace(/^-/, ""), down: sort.startsWith("-") } : null,
		rows: params[`${table}.rows`] ?? "",
		open: params[`${table}.open`] ?? ""
	};
}
function sortText({ sort }) {
	return sort ? `${sort.down ? "-" : ""}${sort.column}` : "";
}
function withTableState(params, table, state) {
	let { filter, columns, rows, open } = state, old = tableState(params, table), [sort, isSame] = [sortText(state), filter === old.filter && sortText(state) === sortText(old)], texts3 = { filter, sort, columns: columns?.join() ?? "", rows: isSame ? rows : "", open }, rest = { ...params };
	for (let [what, text3] of Object.entries(texts3))
		text3 ? rest[`${table}.${what}`] = text3 : delete rest[`${table}.${what}`];
	return rest;
}
function useTableState(selection, navigate, table) {
	return {
		state: tableState(selection.params, table),
		setState: (state) => navigate({ params: withTableState(selection.params, table, state) }, "replace")
	};
}

// src/views/nested.ts
function sound(parents) {
	return Int32Array.from(
		parents,
		(parent, row) => typeof parent == "number" && parent >= 0 && parent < row ? parent : -1
	);
}
function childLists(parents) {
	let lists = Array.from({ length: parents.length + 1 }, () => []);
	return parents.forEach((parent, row) => lists[parent < 0 ? parents.length : parent].push(row)), lists;
}
function sortLists(lists, cells, down) {
	for (let list of lists) list.length > 1 && list.sort((a, b) => compareCells(cells[a], cells[b], down ? -1 : 1));
}
function treeOf({ columns }, sort) {
	let above = sound(columns.parent ?? []), lists = childLists(above), cells = sort && cellsNamed({ columns }, sort.column);
	sort && cells && sortLists(lists, cells, sort.down);
	let count = above.length, tree = {
		rows: new Int32Array(count),
		parents: new Int32Array(count).fill(-1),
		depths: new Int32Array(count),
		ends: new Int32Array(count)
	}, placeOf5 = new Int32Array(count), stack = [...lists[count] ?? []].reverse();
	for (let at = 0; stack.length; at++) {
		let row = stack.pop();
		tree.rows[at] = row, placeOf5[row] = at, above[row] >= 0 && (tree.parents[at] = placeOf5[above[row]], tree.depths[at] = tree.depths[tree.parents[at]] + 1);
		let inside2 = lists[row];
		for (let i = inside2.length - 1; i >= 0; i--) stack.push(inside2[i]);
	}
	for (let at = count - 1; at >= 0; at--) {
		tree.ends[at] = Math.max(tree.ends[at], at + 1);
		let parent = tree.parents[at];
		parent >= 0 && (tree.ends[parent] = Math.max(tree.ends[parent], tree.ends[at]));
	}
	return tree;
}
function find(tree, data, columns, filter) {
	if (!filter.trim()) return null;
	let test = rowTest(filter, columns, data), size = tree.rows.length, found = { kept: new Uint8Array(size), holds: new Uint8Array(size), count: 0 }, { kept: kept2, holds } = found, inside2 = 0;
	for (let at = 0; at < size; at++) {
		let passes = test(tree.rows[at]);
		found.count += Number(passes), passes && (inside2 = Math.max(inside2, tree.ends[at])), kept2[at] = Number(passes || at < inside2);
		for (let up = tree.parents[at]; passes && up >= 0 && !holds[up]; up = tree.parents[up]) holds[up] = 1;
	}
	for (let at = 0; at < size; at++) kept2[at] ||= holds[at];
	return found;
}
function isOpenAt(tree, at, found, turned) {
	return turned.get(tree.rows[at]) ?? (found !== null && found.holds[at] === 1);
}
function visible(tree, found, turned) {
	let places = [];
	for (let at = 0; at < tree.rows.length; ) {
		if (found && !found.kept[at]) {
			at = tree.ends[at];
			continue;
		}
		places.push(at), at = isOpenAt(tree, at, found, turned) ? at + 1 : tree.ends[at];
	}
	return places;
}
function hasInside(tree, at) {
	return tree.ends[at] > at + 1;
}
function insideOf(tree, at) {
	let places = [];
	for (let next2 = at + 1; next2 < tree.ends[at]; next2 = tree.ends[next2]) places.push(next2);
	return places;
}
function openedFirst(tree, most) {
	let opened = /* @__PURE__ */ new Map(), level2 = [];
	for (let at = 0; at < tree.rows.length; at = tree.ends[at]) level2.push(at);
	let seen = Math.min(level2.length, Math.ceil(most / 2));
	for (; level2.length; ) {
		let next2 = [];
		for (let at of level2) {
			let inside2 = hasInside(tree, at) && seen < most ? insideOf(tree, at) : [];
			inside2.length && (opened.set(tree.rows[at], !0), seen += inside2.length, next2.push(...inside2));
		}
		level2 = next2;
	}
	return opened;
}
var MOST_TURNED = 500;
function turnsIn(text3, count) {
	let [of, base = "", ...turns] = text3.split(".");
	return Number(of) === count ? { base, turns } : { base: "", turns: [] };
}
function turnedOf(text3, { rows }, first) {
	let { base, turns } = turnsIn(text3, rows.length), turned = new Map(base ? Array.from(rows, (row) => [row, base === "all"]) : first);
	for (let turn of turns) turned.set(Math.abs(Number(turn)), !turn.startsWith("-"));
	return turned;
}
function withTurn(text3, { rows }, row, open) {
	let { base, turns } = turnsIn(text3, rows.length), others = turns.filter((turn) => Math.abs(Number(turn)) !== row);
	return [rows.length, base, ...[...others, open ? row : `-${row}`].slice(-MOST_TURNED)].join(".");
}
function turnedAll({ rows }, open) {
	return `${rows.length}.${open ? "all" : "none"}`;
}

// src/views/use_tree.ts
var AT_FIRST = 24, PAGE = 20;
function useTree(data, searched, state, setState) {
	let { filter, sort, rows, open } = state, tree = useMemo(() => treeOf(data, sort), [data, sort?.column, sort?.down]), first = useMemo(() => openedFirst(treeOf(data, null), AT_FIRST), [data]), found = useMemo(() => find(tree, data, searched, filter), [tree, searched, filter]), [filtered2, setFiltered] = useState({ data, filter: "", open: "" }), under = filtered2.data === data && filtered2.filter === filter ? filtered2.open : "", text3 = found ? under : open, turned = useMemo(() => turnedOf(text3, tree, found ? /* @__PURE__ */ new Map() : first), [text3, tree, found === null, first]), places = useMemo(() => visible(tree, found, turned), [tree, found, turned]), cursor = useMemo(() => rangeOf(rows, data, tree.rows), [rows, data, tree]), set = (next2) => found ? setFiltered({ data, filter, open: next2 }) : setState({ ...state, open: next2 });
	return {
		tree,
		found,
		places,
		isOpen: (place2) => hasInside(tree, place2) && isOpenAt(tree, place2, found, turned),
		turn: (place2, isOpen2) => set(withTurn(text3, tree, tree.rows[place2], isOpen2)),
		turnAll: (isOpen2) => set(turnedAll(tree, isOpen2)),
		cursor: cursor && tree.rows[cursor.to],
		setCursor: (place2) => setState({ ...state, rows: rangeText({ from: place2, to: place2 }, data, tree.rows) })
	};
}
function keyOf(key, view, scrollTo) {
	let { tree, places, cursor } = view, at = cursor === null ? -1 : places.findIndex((place2) => tree.rows[place2] === cursor), go2 = (index) => {
		let to = Math.max(0, Math.min(places.length - 1, index)), place2 = places[to];
		place2 !== void 0 && (view.setCursor(place2), scrollTo(to));
	}, inward = (place2) => {
		view.isOpen(place2) ? go2(at + 1) : hasInside(tree, place2) && view.turn(place2, !0);
	}, outward = (place2) => {
		view.isOpen(place2) ? view.turn(place2, !1) : tree.parents[place2] >= 0 && go2(places.indexOf(tree.parents[place2]));
	}, here2 = (act) => () => at < 0 ? go2(0) : act(places[at]);
	return {
		ArrowDown: () => go2(at + 1),
		ArrowUp: () => go2(at - 1),
		PageDown: () => go2(at + PAGE),
		PageUp: () => go2(at - PAGE),
		Home: () => go2(0),
		End: () => go2(places.length - 1),
		ArrowRight: here2(inward),
		ArrowLeft: here2(outward),
		"*": () => view.turnAll(!0)
	}[key];
}

// src/views/tree.tsx
var KEYS3 = [
	["→ ←", "in a tree: expand and go in, collapse and go out", "[role=treegrid]"],
	["*", "in a tree: expand all", "[role=treegrid]"]
], ROW_PX2 = 24, INDENT_PX = 16, DEEPER_PX = 80, SHARE_PX = 240, SHARE_OF_SCREEN = 0.16, STRUCTURE = ["parent", "depth"];
function useColumns({ spec, data, label: label2, show: show2 = [], state: { columns: own } }) {
	let names = own ?? show2;
	return useMemo(() => {
		let asked3 = wanted2(spec, names).filter(({ name: name2 }) => name2 !== label2 && !STRUCTURE.includes(name2)), columns = [spec.columns.find((column) => column.name === label2), ...asked3.filter((column) => !isEmpty(data.columns[column.name]))], widths = measure(columns, data);
		widths[0].px += DEEPER_PX;
		let bar = Math.min(SHARE_PX, SHARE_OF_SCREEN * window.innerWidth);
		for (let width of widths) width.column.unit === "share" && (width.px = Math.max(width.px, bar));
		return {
			columns,
			widths,
			quiet: sparse(columns, data),
			empty: asked3.filter((column) => !columns.includes(column))
		};
	}, [spec, data, label2, names.join()]);
}
function NameCell({ view, place: place2, text: text3 }) {
	let isOpen2 = view.isOpen(place2), inside2 = hasInside(view.tree, place2);
	return jsx("td", { class: "text tree-name", style: { "--indent": `${INDENT_PX * view.tree.depths[place2]}px` }, children: jsxs("span", { children: [
		jsx(
			"button",
			{
				type: "button",
				tabIndex: -1,
				class: "turn",
				hidden: !inside2,
				"aria-label": isOpen2 ? "Collapse" : "Expand",
				onClick: () => view.turn(place2, !isOpen2),
				children: isOpen2 ? "▾" : "▸"
			}
		),
		jsx(Name, { text: text3 })
	] }) });
}
function Body({ view, columns, quiet, data, id, virtual, open, cells }) {
	let { tree, places, cursor, setCursor } = view, items = virtual.getVirtualItems(), [name, ...others] = columns;
	return jsxs("tbody", { children: [
		jsx(Gap, { px: items[0]?.start ?? 0 }),
		items.map(({ index }) => {
			let place2 = places[index], row = tree.rows[place2];
			return jsxs(
				"tr",
				{
					id: id(row),
					"aria-rowindex": index + 2,
					"aria-level": tree.depths[place2] + 1,
					"aria-expanded": hasInside(tree, place2) ? view.isOpen(place2) : void 0,
					"aria-selected": row === cursor,
					onClick: () => setCursor(place2),
					onDblClick: () => open?.(row),
					children: [
						jsx(NameCell, { view, place: place2, text: formatCell(data.columns[name.name]?.[row], name) }),
						jsx(Cells, { columns: others, data, row, quiet, lead: row === cursor ? cells : void 0 })
					]
				},
				row
			);
		}),
		jsx(Gap, { px: virtual.getTotalSize() - (items[items.length - 1]?.end ?? 0) })
	] });
}
function TreeTable(props) {
	let {
		title,
		spec,
		data,
		label: label2,
		show: show2 = [],
		csv,
		json,
		state,
		setState,
		open,
		what,
		more,
		whole: whole4,
		also = [],
		cells
	} = props, { columns, widths, quiet, empty } = useColumns(props), searched = useMemo(() => spec.columns.filter((c) => isNumeric(c) || c.name === label2), [spec, label2]), view = useTree(data, searched, state, setState), { cursor } = view, scroller = useRef(null), virtual = useVirtualRows(scroller, view.places.length, ROW_PX2, ROW_PX2), id = (row) => `${spec.name}-${row}`, tsv = () => toTsv(
		data,
		spec.columns,
		view.places.map((place2) => view.tree.rows[place2])
	), onKeyDown2 = (event) => {
		if (event.target !== event.currentTarget) return;
		let withMeta = event.ctrlKey || event.metaKey || event.altKey;
		if (withMeta && event.key === "c" && cursor !== null && !String(getSelection()) && copyText(toTsv(data, spec.columns, [cursor])), withMeta) return;
		let act = keyOf(event.key, view, (index) => virtual.scrollToIndex(index));
		act && event.preventDefault(), event.key === "Enter" && cursor !== null ? open?.(cursor) : act?.();
	}, total2 = rowCount(data);
	return jsxs("div", { class: "data-table", children: [
		jsxs(TableBar, { title, spec, empty, state, setState, whole: whole4, shown: view.found?.count ?? total2, total: total2, children: [
			more,
			cursor !== null && open && jsx("button", { type: "button", onClick: () => open(cursor), children: what }),
			cursor !== null && jsx(Acts, { acts: also, row: cursor }),
			jsx("button", { type: "button", title: "Expand all rows (*)", onClick: () => view.turnAll(!0), children: "Expand all" }),
			jsx("button", { type: "button", title: "Collapse all rows", onClick: () => view.turnAll(!1), children: "Collapse all" }),
			jsx(ColumnPicker, { spec, data, show: show2, state, setState, hidden: STRUCTURE }),
			jsx(CopyButton, { text: tsv, label: "Copy", title: "Copy the visible rows as TSV with exact values" }),
			jsx(Links, { csv, json })
		] }),
		jsx("div", { class: "table-scroll", ref: scroller, children: jsxs(
			"table",
			{
				role: "treegrid",
				tabIndex: 0,
				"aria-label": title,
				"aria-rowcount": view.places.length + 1,
				"aria-activedescendant": cursor === null ? void 0 : id(cursor),
				style: { minWidth: `${leastWidth(widths)}px` },
				onKeyDown: onKeyDown2,
				children: [
					jsx("caption", { class: "offscreen", children: spec.help }),
					jsx(ColumnWidths, { widths }),
					jsx(Head, { columns, sort: state.sort, setSort: (sort) => setState({ ...state, sort }) }),
					jsx(Body, { view, columns, quiet, data, id, virtual, open, cells })
				]
			}
		) })
	] });
}

// src/views/table_panel.tsx
function actOf2({ what, can, open }, data) {
	return { what, can: (row) => can?.(row, data) ?? !0, open: (row) => open(row, data) };
}
function titleFor(title, count) {
	let [, ten, rest = title] = /^(Top 10 )?(.+)$/.exec(title) ?? [], whole4 = ten && count < 10 ? rest.charAt(0).toUpperCase() + rest.slice(1) : title;
	return count === 1 && !whole4.includes(" and ") ? whole4.replace(/s$/, "") : whole4;
}
function NoRows({ title, above }) {
	return jsxs(Panel, { title, bare: !0, children: [
		above,
		jsxs("p", { class: "soft", children: [
			title,
			": nothing in this capture matches the selection above."
		] })
	] });
}
function TablePanel({
	answer,
	page,
	table,
	title: called,
	show: names,
	keepZeros = !1,
	sort = null,
	more,
	full,
	what,
	open,
	can,
	also = [],
	find: into,
	room,
	lines,
	tree,
	above,
	...look
}) {
	let spec = page.tool.tables.find((t) => t.name === table), data = answer.tables[table], { state, setState } = useTableState(page.selection, page.navigate, table), isWhole = keepZeros || !spec || !data, show2 = useMemo(() => isWhole ? names : telling(spec, data, names), [isWhole, spec, data, names.join()]);
	if (!spec || !data || !rowCount(data))
		return above ? jsx(NoRows, { title: called ?? spec?.title ?? table, above }) : null;
	let title = titleFor(called ?? spec.title, rowCount(data)), find2 = (name) => page.navigate(eventsInTrace(name)), ways = waysOf(page, spec, data), trace = ways?.act ?? (into && actOf2(into, data)), own = open && actOf2({ what: what ?? "", open, ...can ? { can } : {} }, data), main = own ?? trace ?? {}, others = own && trace ? [trace] : [], shared = {
		title,
		spec,
		data,
		show: show2,
		setState,
		more,
		room,
		lines,
		...addresses(page, table),
		also: [...others, ...also.map((act) => actOf2(act, data))],
		...main,
		cells: ways?.cells,
		whole: wholeOf(spec, answer, page),
		state: { ...state, sort: state.sort ?? sort }
	};
	return jsxs(Panel, { title, bare: !0, class: `shrinks ${look.class ?? (sort ? "short" : "")}`, children: [
		above,
		tree ? jsx(TreeTable, { ...shared, label: tree }) : jsx(DataTable, { ...shared, ...full ? { full } : {}, find: find2 })
	] });
}
function TablePart(props) {
	return jsx(Boundary, { what: props.table, children: jsx(TablePanel, { ...props }) });
}

// src/address.ts
var PLUGIN = "perfplugin", PREFIX = `p.${PLUGIN}.`;
function decode(text3) {
	try {
		return decodeURIComponent(text3);
	} catch {
		return text3;
	}
}
function hostList(text3) {
	return text3 ? text3.split(",").map(decode) : [];
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
	let others = old.replace(/^#/, "").split("&").filter((part) => part.includes("=") && !part.startsWith(PREFIX)), parts2 = [
		["run", selection.run],
		["host", selection.hosts.map(encodeURIComponent).join(",")],
		["tool", selection.tool],
		...Object.entries(selection.params)
	].filter(([, value]) => value).map(([k, v]) => `${PREFIX}${encodeURIComponent(k)}=${encodeURIComponent(v)}`);
	return `#${[PLUGIN, ...others, ...parts2].join("&")}`;
}
function isOurs(hash) {
	let tab = hash.replace(/^#/, "").split("&").find((part) => part && !part.includes("="));
	return tab === void 0 || tab === PLUGIN;
}

// src/asking.ts
var said = { asking: 0, answered: 0 };
async function asked(answer) {
	tell(1);
	try {
		return await answer;
	} finally {
		said.answered++, tell(-1);
	}
}
function tell(more) {
	said.asking += more, Object.assign(document.documentElement.dataset, { asking: said.asking, answered: said.answered });
}
function tellShown(selection) {
	document.documentElement.dataset.shown = formatHash(selection);
}

// src/columns.ts
var ARRAYS = {
	u1: Uint8Array,
	u2: Uint16Array,
	u4: Uint32Array,
	i1: Int8Array,
	i2: Int16Array,
	i4: Int32Array,
	f8: Float64Array
};
function unpacked(cells, bytes2, body) {
	if (Array.isArray(cells)) return cells;
	let Numbers = ARRAYS[cells.dtype];
	if (!Numbers) throw new Error(`A column has the unknown type ${String(cells.dtype)}.`);
	let at = body + cells.at, size = cells.n * Numbers.BYTES_PER_ELEMENT;
	if (at + size > bytes2.byteLength) throw new Error("The answer ends before its last column.");
	let numbers5 = at % Numbers.BYTES_PER_ELEMENT === 0 ? new Numbers(bytes2, at, cells.n) : new Numbers(bytes2.slice(at, at + size));
	return cells.step === void 0 ? numbers5 : stepped(numbers5, cells, bytes2, body);
}
function stepped(numbers5, { from = 0, step = 1, high, delta, n }, bytes2, body) {
	let upper = high === void 0 ? null : new Uint16Array(bytes2.slice(body + high, body + high + 2 * n)), beyond2 = 2 ** (8 * numbers5.BYTES_PER_ELEMENT + (upper ? 16 : 0)), values = new Float64Array(n), sum = 0;
	for (let i = 0; i < n; i++) {
		let number3 = numbers5[i] + (upper ? upper[i] * 4294967296 : 0);
		sum = delta ? sum + number3 : number3, sum >= beyond2 && (sum -= beyond2), values[i] = from + step * sum;
	}
	return values;
}
function decodeColumns(bytes2) {
	let head = new DataView(bytes2);
	if (bytes2.byteLength < 8 || head.getUint32(0, !0) !== 826495056)
		throw new Error("The answer is not in binary columns.");
	let length2 = head.getUint32(4, !0);
	if (8 + length2 > bytes2.byteLength) throw new Error("The answer ends inside its header.");
	let header = JSON.parse(new TextDecoder().decode(new Uint8Array(bytes2, 8, length2))), body = 8 + length2, tables = {};
	for (let [name, { columns }] of Object.entries(header.tables))
		tables[name] = {
			columns: Object.fromEntries(Object.entries(columns).map(([key, cells]) => [key, unpacked(cells, bytes2, body)]))
		};
	return { ...header, tables };
}
var NONE = [];
function cellsOf(answer, table, column) {
	return answer.tables[table]?.columns[column] ?? NONE;
}
function floats(cells, begin, end) {
	return cells.length ? Float64Array.from(cells.slice(begin, end)) : new Float64Array(end - begin);
}

// src/api.ts
var ApiError = class extends Error {
	constructor(kind, message) {
		super(message);
		this.kind = kind;
	}
	kind;
};
function address(route2, query) {
	let url = new URL(`../${route2}`, import.meta.url);
	for (let [name, value] of query) url.searchParams.append(name, value);
	return url.href;
}
async function explained(response) {
	let error = (await response.json().catch(() => null))?.error;
	return error ? new ApiError(String(error.kind), String(error.message)) : new ApiError(
		"internal",
		`The server answered ${response.status} ${response.statusText} without an error message.`
	);
}
async function ask(url, signal, init = {}) {
	let response;
	try {
		response = await fetch(url, { ...init, signal: signal ?? null });
	} catch (error) {
		throw signal?.aborted ? error : new ApiError("unreachable", "TensorBoard does not respond. Is it still running? This page keeps trying.");
	}
	if (!response.ok) throw await explained(response);
	return response;
}
async function get(url, signal) {
	return await (await ask(url, signal)).json();
}
async function post(url, body, signal) {
	return await (await ask(url, signal, { method: "POST", headers: { "Content-Type": "application/json", "X-Perfplugin": "1" }, body: JSON.stringify(body) })).json();
}
function getRuns(signal) {
	return get(address("runs", []), signal);
}
function getTools(run = "", hosts = [], signal) {
	return asked(get(address("tools", run ? selected(run, hosts) : []), signal));
}
function selected(run, hosts) {
	return [["run", run], ...hosts.map((host2) => ["host", host2])];
}
function traceUrl(run, hosts, options2) {
	return address("trace", [...selected(run, hosts), ...Object.entries(options2)]);
}
async function getBytes(url, { signal, most, heard }) {
	let reader = (await ask(url, signal)).body.getReader(), pieces = [], bytes2 = 0;
	for (; ; ) {
		let { done, value } = await reader.read().catch((reason) => {
			throw signal.aborted ? reason : new ApiError("unreachable", `The connection to TensorBoard was lost after ${formatBytes(bytes2)}.`);
		});
		if (done) break;
		if (bytes2 += value.length, pieces.push(value), heard(bytes2), bytes2 <= most) continue;
		reader.cancel();
		let help = "Export a shorter range, or download the file and open it with Perfetto's trace processor.";
		throw new ApiError("too_large", `The file is larger than ${formatBytes(most)}. ${help}`);
	}
	return joined(pieces, bytes2);
}
function joined(pieces, bytes2) {
	let whole4 = new Uint8Array(bytes2), at = bytes2;
	for (let piece = pieces.pop(); piece; piece = pieces.pop()) whole4.set(piece, at -= piece.length);
	return whole4.buffer;
}
function apiFor({ run, hosts, tool }) {
	let url = (options2) => address("data", [...selected(run, hosts), ["tool", tool], ...Object.entries(options2)]), said4 = (answer) => (sayTitles(answer.titles), answer), columns = async (options2, signal) => said4(decodeColumns(await (await ask(url({ ...options2, format: "columns" }), signal)).arrayBuffer())), data = async (options2, signal) => said4(await get(url(options2), signal));
	return {
		url,
		data: (options2, signal) => asked(data(options2, signal)),
		columns: (options2, signal) => asked(columns(options2, signal))
	};
}

// src/answer.ts
var PATIENCE_MS = 100, RETRY_MS = 5e3;
function useAnswer(api, options2 = {}) {
	let [asked3, setAsked] = useState({ answer: null, error: null, waiting: !1 }), [attempt, setAttempt] = useState(0), again = useCallback(() => setAttempt((n) => n + 1), []), url = api.url(options2), latest = useRef(options2);
	return latest.current = options2, useEffect(() => {
		let abort = new AbortController(), timer = setTimeout(() => setAsked((old) => ({ ...old, waiting: !0 })), PATIENCE_MS), settle = (next2) => {
			clearTimeout(timer), abort.signal.aborted || setAsked(next2);
		};
		return api.data(latest.current, abort.signal).then(
			(answer) => settle(() => ({ answer, error: null, waiting: !1 })),
			(reason) => settle((old) => ({ ...old, error: asApiError(reason), waiting: !1 }))
		), () => {
			clearTimeout(timer), abort.abort();
		};
	}, [api, url, attempt]), useRetry(asked3.error, again), { ...asked3, again };
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

// src/views/places.ts
function ps(cell) {
	return typeof cell == "number" ? Math.round(cell * 1e9) : NaN;
}
function stepOf({ hosts, tables }, where) {
	let { step = [], host: host2, start_ms = [], duration_ms = [] } = tables.steps?.columns ?? {}, { start_ps, end_ps } = where, middle3 = (start_ps + end_ps) / 2, row = step.findIndex((_, i) => {
		let [start, length2] = [ps(start_ms[i]), ps(duration_ms[i])];
		return hosts.length > 1 ? host2?.[i] === where.host && length2 === end_ps - start_ps : start <= middle3 && middle3 < start + length2;
	});
	return row < 0 ? null : String(step[row]);
}
function stepsOfAll(answer, places) {
	let named2 = places.map((where) => stepOf(answer, where)).filter((step) => step !== null);
	return new Set(named2).size === places.length ? named2 : null;
}

// src/views/findings.tsx
var Titles = createContext({}), MARKS2 = { warning: "▲", note: "●", info: "○" };
function stretch(answer, where) {
	let { host: host2, start_ps, end_ps } = where, step = stepOf(answer, where), [length2, start] = [end_ps - start_ps, start_ps].map((time2) => formatNumber(time2, "ps"));
	return `${step === null ? "" : `step ${step}: `}${length2} on ${host2}, ${start} after the start of the capture`;
}
function Proof({ finding, answer, navigate }) {
	let { tool, evidence } = finding, titles = useContext(Titles);
	if (!tool) return null;
	let places = tool === "trace_viewer" ? evidence : [], steps = stepsOfAll(answer, places), go2 = (where) => () => navigate(toProof(finding, where));
	return jsxs("span", { class: "proof", children: [
		jsxs("button", { type: "button", class: "link", title: places[0] && stretch(answer, places[0]), onClick: go2(places[0]), children: [
			finding.search && finding.match !== "row" ? "find" : "show",
			" in ",
			titles[tool] ?? tool,
			" ▸"
		] }),
		places.length > 1 && jsx("span", { class: "soft", children: steps ? " at steps" : " occurrences" }),
		places.length > 1 && places.map((where, i) => jsxs("span", { children: [
			" ",
			jsx(
				"button",
				{
					type: "button",
					class: "link",
					title: stretch(answer, where),
					"aria-label": steps ? `step ${steps[i]}` : `occurrence ${i + 1}`,
					onClick: go2(where),
					children: steps?.[i] ?? i + 1
				}
			)
		] }, i))
	] });
}
function Mark({ severity }) {
	return jsx("span", { class: "mark", role: "img", "aria-label": severity, title: severity, children: MARKS2[severity] });
}
function Advice(props) {
	let { action, detail } = props.finding;
	return jsxs("p", { children: [
		jsx(Words, { text: action }),
		" ",
		jsx("span", { class: "soft", children: jsx(Words, { text: detail }) }),
		" ",
		jsx(Proof, { ...props })
	] });
}
function Findings({ findings, ...rest }) {
	return jsx("ul", { class: "findings", children: findings.map((finding) => jsxs("li", { class: finding.severity, children: [
		jsx(Mark, { severity: finding.severity }),
		jsxs("div", { children: [
			jsx("strong", { children: jsx(Words, { text: finding.title }) }),
			finding.share !== null && !finding.title.includes("%") && jsxs("span", { class: "soft number", children: [
				" · ",
				percent(finding.share)
			] }),
			jsx(Advice, { finding, ...rest })
		] })
	] }, finding.title)) });
}
function FoldedFindings({ findings, ...rest }) {
	return findings.length ? jsx("ul", { class: "findings folded", children: findings.map((finding) => jsx("li", { class: finding.severity, children: jsxs("details", { children: [
		jsxs("summary", { children: [
			jsx(Mark, { severity: finding.severity }),
			" ",
			jsx(Words, { text: finding.title })
		] }),
		jsx(Advice, { finding, ...rest })
	] }) }, finding.title)) }) : null;
}
var MOST2 = 72, TAIL = 44;
function shortened(title) {
	return title.replace(/[^\s`]{73,}/gu, (name) => `${name.slice(0, MOST2 - TAIL - 1)}…${name.slice(-TAIL)}`);
}
function Headline({ finding, ...rest }) {
	let { title, severity } = finding, plain = title.replaceAll("`", ""), whole4 = shortened(title) === title ? {} : { title: plain, "aria-label": `${severity}: ${plain}` };
	return jsxs("div", { class: `headline ${severity}`, children: [
		jsxs("h1", { ...whole4, children: [
			jsx(Mark, { severity }),
			" ",
			jsx(Words, { text: shortened(title) })
		] }),
		jsx(Advice, { finding, ...rest })
	] });
}

// src/views/report.tsx
function stepsPage(Report8) {
	return (page) => {
		let asked3 = useAnswer(page.api, given(page));
		return jsx("div", { class: "page fits", children: jsx(ShownSteps, { asked: asked3, page, children: (answer) => jsx(Report8, { answer, page }) }) });
	};
}
function Conclusion({ answer, page, children }) {
	let [first] = answer.findings;
	return jsxs(Panel, { title: "", class: "answer", children: [
		first && jsx(Headline, { finding: first, answer, navigate: page.navigate }),
		children
	] });
}
function ShortConclusion({ groups, ...part }) {
	let { answer, page } = part;
	return jsxs(Conclusion, { ...part, children: [
		jsx(FoldedFindings, { findings: answer.findings.slice(1), answer, navigate: page.navigate }),
		jsxs("div", { class: "figures-line", children: [
			jsx(Figures, { answer, page, groups }),
			jsx(AllFigures, { answer, columns: page.tool.summary })
		] })
	] });
}
function MoreFindings({
	answer,
	page,
	title = "More findings",
	shrinks
}) {
	let more = answer.findings.slice(1);
	return more.length ? jsx(Panel, { title, class: shrinks ? "shrinks" : "", children: jsx(Findings, { findings: more, answer, navigate: page.navigate }) }) : null;
}

// src/tools/input_pipeline.tsx
var keys = KEYS2;
function Gauge({ answer: { summary: summary3 } }) {
	let [share, step, wait, copy] = ["input_share", "step_time_ms", "input_wait_ms", "copy_in_ms"].map(
		(name) => number(summary3[name])
	);
	if (share == null || !step) return null;
	let parts2 = [
		{ name: "input wait", ms: wait ?? 0, variable: "--input" },
		{ name: "copy in", ms: copy ?? 0, variable: "--copy" }
	].filter(({ ms }) => ms > 0), limits = ["moderate", "high"].map((name) => ({
		name,
		at: number(summary3[`threshold_${name}`]) ?? 0
	})), words4 = `Input takes ${percent(share)} of the step; ${limits.map(({ name, at }) => `${name} from ${tickText(at, "share")}`).join(", ")}`;
	return jsxs("div", { class: "gauge", role: "img", "aria-label": words4, children: [
		jsx("div", { class: "gauge-bar", children: parts2.map(({ name, ms, variable }) => jsx(
			"b",
			{
				title: `${name}: ${exactValue(ms, "ms")} per step`,
				style: { width: `${100 * ms / step}%`, background: `var(${variable})` }
			},
			name
		)) }),
		limits.map(({ name, at }) => jsxs("span", { class: "limit", style: { left: `${100 * at}%` }, children: [
			name,
			" ≥ ",
			tickText(at, "share")
		] }, name)),
		jsxs(
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
	group("Input", {
		input_wait_ms: { words: "wait {} per step", always: !0 },
		input_wait_sd_ms: "±{}",
		input_wait_max_ms: "({input_wait_min_ms} – {})",
		copy_in_ms: "copy in {}",
		expected_step_time_ms: "step time without input wait {}"
	}),
	group("Pipeline", {
		pipeline: "{}",
		bottleneck_op: "limited by {}",
		bottleneck_self_ms: "its self time {} per step",
		input_op_self_ms: "self time of all stages {}"
	})
];
function HostSide({ answer, page }) {
	let spec = page.tool.tables.find(({ name }) => name === "host_side"), { columns } = answer.tables.host_side ?? { columns: {} }, kinds = columns.kind ?? [];
	if (!spec || !kinds.length) return null;
	let value = (name, row) => number(columns[name]?.[row]) ?? 0, shown3 = (name, row) => {
		let column = spec.columns.find((c) => c.name === name);
		return column ? formatCell(columns[name]?.[row], column) : "";
	}, most = Math.max(...kinds.map((_, row) => value("self_ms", row) + value("wait_ms", row))) || 1, filled = kinds.flatMap((_, row) => value("self_ms", row) + value("wait_ms", row) > 0 ? [row] : []), none = kinds.filter((_, row) => !filled.includes(row));
	return jsx(Panel, { title: spec.title, help: spec.help, children: jsxs("div", { class: "bars kinds", children: [
		jsxs("p", { class: "legend", children: [
			jsxs("span", { children: [
				jsx("i", { style: { background: "var(--host)" } }),
				"work"
			] }),
			jsxs("span", { children: [
				jsx("i", { class: "hatched", style: { "--of": "var(--unknown)" } }),
				"waiting for its inputs"
			] })
		] }),
		jsx("ul", { children: filled.map((row) => jsxs("li", { title: String(columns.help?.[row] ?? ""), children: [
			jsx("span", { children: String(kinds[row]) }),
			jsxs("span", { class: "bar", children: [
				jsx("b", { style: { width: `${100 * value("self_ms", row) / most}%`, background: "var(--host)" } }),
				jsx(
					"b",
					{
						class: "hatched",
						style: { width: `${100 * value("wait_ms", row) / most}%`, "--of": "var(--unknown)" }
					}
				)
			] }),
			jsxs("span", { class: "number", children: [
				shown3("self_ms", row),
				" ",
				jsx("span", { class: "soft", children: shown3("share", row) })
			] }),
			jsxs("span", { class: "number soft", children: [
				"wait ",
				formatNumber(value("wait_ms", row), "ms")
			] })
		] }, row)) }),
		none.length > 0 && jsxs("p", { class: "soft", children: [
			"+",
			counted(none.length, "zero category")
		] })
	] }) });
}
var OPS = [
	"op",
	"kind",
	"count",
	"self_ms",
	"self_share",
	"function_ms",
	"wait_ms",
	"total_ms",
	"total_share"
];
function Report(part) {
	let { answer, page } = part;
	return jsxs(Fragment2, { children: [
		jsxs(Conclusion, { ...part, children: [
			jsx(StepLine, { ...part }),
			jsx(Gauge, { ...part }),
			jsx(Figures, { answer, page, groups: answer.summary.step_count ? FIGURES : FIGURES.slice(1) })
		] }),
		jsxs("div", { class: "columns capped", children: [
			jsx(StepChart, { ...part, noun: "step", quiet: !0, mean: number(answer.summary.step_time_ms) }),
			jsxs("div", { class: "stack", children: [
				jsx(HostSide, { ...part }),
				jsx(MoreFindings, { ...part, title: "What to change", shrinks: !0 })
			] })
		] }),
		jsx(
			TablePart,
			{
				...part,
				table: "ops",
				show: [...OPS, "threads"],
				find: {
					what: "Find in trace ▸",
					open: (row, { columns }) => page.navigate(eventsInTrace(String(columns.op?.[row] ?? "")))
				}
			}
		)
	] });
}
var input_pipeline_default = stepsPage(Report);

// src/tools/kernel_stats.tsx
var kernel_stats_exports = {};
__export(kernel_stats_exports, {
	default: () => KernelStats
});

// src/views/binary.ts
function memory(column) {
	return column.unit === "bytes" ? { ...column, unit: "memory" } : column;
}
function inBinary(tool, which = /./) {
	let inMemory = (column) => which.test(column.name) ? memory(column) : column;
	return {
		...tool,
		summary: tool.summary.map(inMemory),
		tables: tool.tables.map((spec) => ({ ...spec, columns: spec.columns.map(inMemory) }))
	};
}

// src/views/histogram.tsx
var MOST_TICKS = 8;
function columnOf({ columns }, name) {
	return columns.find((column) => column.name === name);
}
function number2(data, name, row) {
	let value = data.columns[name]?.[row];
	return typeof value == "number" && value > 0 ? value : 0;
}
function filledRows(data, bars2) {
	let filled = Array.from({ length: rowCount(data) }, (_, row) => row).filter(
		(row) => bars2.some(([name]) => number2(data, name, row) > 0)
	), [first, last2] = [filled[0], filled[filled.length - 1]];
	return first === void 0 || last2 === void 0 ? [] : Array.from({ length: last2 - first + 1 }, (_, i) => first + i);
}
function said2({ spec, data, name, tell: tell2 }, row) {
	let told = tell2.flatMap((one) => {
		let column = columnOf(spec, one), value = data.columns[one]?.[row];
		return column && value != null ? [`${label(column)}: ${exactCell(value, column)}`] : [];
	});
	return [String(data.columns[name]?.[row] ?? ""), ...told].join(`
`);
}
function Histogram(props) {
	let { title, spec, data, name, low, bars: bars2, what, pick } = props, rows = filledRows(data, bars2), most = Math.max(...rows.flatMap((row) => bars2.map(([one]) => number2(data, one, row)))), axis2 = columnOf(spec, low);
	if (!rows.length || !axis2) return null;
	let peak = rows.reduce(
		(best, row) => number2(data, bars2[0][0], row) > number2(data, bars2[0][0], best) ? row : best
	), every = Math.ceil(rows.length / MOST_TICKS);
	return jsxs("figure", { class: "histogram", "aria-label": `${title}; most frequent: ${String(data.columns[name]?.[peak] ?? "")}`, children: [
		jsxs("figcaption", { title: spec.help, children: [
			jsx("b", { children: title }),
			jsx("span", { class: "legend", children: bars2.map(([one, words4, variable]) => jsxs("span", { title: columnOf(spec, one)?.help, children: [
				jsx("i", { style: { background: `var(${variable})` } }),
				words4
			] }, one)) })
		] }),
		jsx("ul", { children: rows.map((row, i) => {
			let text3 = said2(props, row);
			return jsxs("li", { children: [
				jsx(
					"button",
					{
						type: "button",
						"aria-label": text3.replaceAll(`
`, ", "),
						title: pick && what ? `${text3}
Click: ${what}` : text3,
						onClick: () => pick?.(row),
						children: bars2.map(([one, , variable]) => jsx(
							"b",
							{
								style: { height: `${100 * number2(data, one, row) / most}%`, background: `var(${variable})` }
							},
							one
						))
					}
				),
				jsx("span", { "aria-hidden": "true", children: i % every ? "" : tickText(Number(data.columns[low]?.[row] ?? 0), axis2.unit) })
			] }, row);
		}) })
	] });
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
	categories = /* @__PURE__ */ new Map();
	lightness;
	of(name) {
		let paint3 = this.paints.get(name);
		return paint3 || (this.paints.size > 5e4 && this.paints.clear(), paint3 = this.mixed(name), this.paints.set(name, paint3)), paint3;
	}
	/** The colour of a category of a step; of none known, what the name tells. */
	ofCategory(category, name) {
		let variable = CATEGORIES[category]?.[0] ?? categoryOfName(name) ?? "--unknown", paint3 = this.categories.get(variable);
		return paint3 || (paint3 = { fill: this.variable(variable), text: this.variable(`${variable}-text`) }, this.categories.set(variable, paint3)), paint3;
	}
	mixed(name) {
		let category = categoryOfName(name);
		return category ? { fill: this.variable(category), text: this.variable(`${category}-text`) } : { fill: oklch(this.lightness, CHROMA, hueOf(name)), text: "#000000" };
	}
};

// src/views/slices.ts
var LEAST = 0.01, MOST3 = 8, IDLE = /^idle$/i;
function summed(names, values) {
	let sums = /* @__PURE__ */ new Map();
	return names.forEach((name, row) => {
		let value = values[row], key = String(name ?? "");
		typeof value == "number" && value > 0 && sums.set(key, (sums.get(key) ?? 0) + value);
	}), [...sums].sort((a, b) => b[1] - a[1]);
}
var APART = 40, STEP = 360 / HUES;
function near(a, b) {
	let distance = Math.abs(a - b);
	return Math.min(distance, 360 - distance) < APART;
}
var PALER = [100, 70, 48, 84, 58, 40];
function painter() {
	let taken = [], seen = /* @__PURE__ */ new Map();
	return (name) => {
		let category = IDLE.test(name) ? "--idle" : categoryOfName(name);
		if (category) {
			let before = seen.get(category) ?? 0;
			seen.set(category, before + 1);
			let part = PALER[before % PALER.length];
			return before ? `color-mix(in oklab, var(${category}) ${part}%, var(--panel))` : `var(${category})`;
		}
		let own = hueOf(name), hue = Array.from({ length: HUES }, (_, i) => (own + i * STEP) % 360).find((one) => !taken.some((other) => near(one, other))) ?? own;
		return taken.push(hue), `oklch(var(--hue-lightness) 0.1 ${hue})`;
	};
}
function pieOf(names, values, all = { total: 0, count: 0 }) {
	let sorted = summed(names, values), known3 = sorted.reduce((sum, [, value]) => sum + value, 0), total2 = Math.max(known3, all.total), isShort = total2 > known3 * (1 + 1e-6), large = sorted.filter(([, value]) => value >= LEAST * total2).length, kept2 = sorted.length <= MOST3 && sorted.length - large <= 1 ? sorted.length : Math.min(large, MOST3 - 1), paint3 = painter(), at = 0, slice = (name, value, colour2, isRest = !1, holds = 0) => {
		let from = at / total2;
		return at += value, { name, value, share: value / total2, from, to: at / total2, colour: colour2, isRest, holds };
	}, slices = sorted.slice(0, kept2).map(([name, value]) => slice(name, value, paint3(name))), rest = total2 - at, others = isShort ? Math.max(0, all.count - kept2) : sorted.length - kept2;
	return (kept2 < sorted.length || isShort) && slices.push(slice("Other", Math.max(0, rest), "var(--unknown)", !0, others)), { slices, total: total2 };
}
function nameOf({ name, isRest, holds }) {
	return isRest ? holds ? `Other (${grouped(holds)})` : "Other" : name;
}
function point(turn, radius) {
	let angle = 2 * Math.PI * turn;
	return `${(radius * Math.sin(angle)).toFixed(3)} ${(-radius * Math.cos(angle)).toFixed(3)}`;
}
function ringPath({ from, to }, outer2, inner) {
	let round = (a, b) => {
		let large = Math.abs(b - a) > 0.5 ? 1 : 0;
		return [
			`M${point(a, outer2)}A${outer2} ${outer2} 0 ${large} 1 ${point(b, outer2)}`,
			`L${point(b, inner)}A${inner} ${inner} 0 ${large} 0 ${point(a, inner)}Z`
		].join("");
	};
	return to - from < 0.9999 ? round(from, to) : round(from, from + 0.5) + round(from + 0.5, from + 1);
}

// src/views/pie.tsx
var OUTER = 50, INNER = 31, SAYS_NOTHING = 0.9, MOST_SPOKEN = 80;
function inWords2({ slices, total: total2 }, unit) {
	let parts2 = slices.map((slice) => `${nameOf(slice).slice(0, MOST_SPOKEN)} ${percent(slice.share)}`);
	return `${formatNumber(total2, unit)}: ${parts2.join(", ")}`;
}
function said3(slice, unit, what) {
	let lines = [nameOf(slice), `${exactValue(slice.value, unit)}, ${percent(slice.share)}`];
	return slice.isRest ? lines.push("Each below 1 %, or beyond the largest; the table lists all.") : what && lines.push(`Click: ${what}`), lines.join(`
`);
}
function Pie({ title, help, names, values, unit, whole: whole4 = 0, count = 0, what, pick, isPicked }) {
	let pie = useMemo(() => pieOf(names, values, { total: whole4, count }), [names, values, whole4, count]), [hover, setHover] = useState(null);
	if (!pie.total || pie.slices.some(({ isRest, share }) => isRest && share > SAYS_NOTHING)) return null;
	let find2 = (test) => pie.slices.find(test) ?? null, at = find2(({ name }) => name === hover) ?? find2((slice) => !slice.isRest && !!isPicked?.(slice.name)), look = (slice) => ({
		title: said3(slice, unit, pick && what),
		onMouseEnter: () => setHover(slice.name),
		onMouseLeave: () => setHover(null)
	}), press2 = (slice) => pick && !slice.isRest ? () => pick(slice.name) : void 0;
	return jsxs("figure", { class: "pie", "aria-label": title, children: [
		jsx("figcaption", { title: help, children: title }),
		jsxs("svg", { viewBox: "-52 -52 104 104", role: "img", "aria-label": `${title}, ${inWords2(pie, unit)}`, children: [
			pie.slices.map((slice) => jsx(
				"path",
				{
					d: ringPath(slice, OUTER, INNER),
					style: { fill: slice.colour },
					class: `${at && at !== slice ? "faded" : ""} ${press2(slice) ? "opens" : ""} ${slice.share > 0.9999 ? "whole" : ""}`,
					onMouseEnter: () => setHover(slice.name),
					onMouseLeave: () => setHover(null),
					onClick: press2(slice),
					children: jsx("title", { children: said3(slice, unit, pick && what) })
				},
				nameOf(slice)
			)),
			jsx("text", { y: "-2", children: formatNumber(at ? at.value : pie.total, unit) }),
			jsx("text", { y: "12", class: "small", children: at ? percent(at.share) : "total" })
		] }),
		jsx("ul", { children: pie.slices.map((slice) => jsxs("li", { ...look(slice), class: at && at !== slice ? "faded" : "", children: [
			jsx("i", { style: { background: slice.colour } }),
			jsx(Label, { slice, press: press2(slice), pressed: isPicked?.(slice.name) ?? !1 }),
			jsx("span", { class: "number", children: percent(slice.share) })
		] }, nameOf(slice))) })
	] });
}
var TAIL2 = 6;
function tailOf2(name) {
	return name.includes("/") ? {} : { tail: TAIL2 };
}
function Label({ slice, press: press2, pressed }) {
	return press2 ? jsx(
		"button",
		{
			type: "button",
			class: "link",
			"aria-label": slice.name.slice(0, MOST_SPOKEN),
			"aria-pressed": pressed,
			onClick: press2,
			children: jsx(Name, { text: slice.name, title: "", ...tailOf2(slice.name) })
		}
	) : jsx(Name, { text: nameOf(slice), title: "" });
}
function Pies({ view, spec, data }) {
	let columns = spec.columns.filter(({ name }) => view.values.includes(name));
	return jsx("div", { class: "pies", children: columns.map((column) => jsx(
		Pie,
		{
			title: label(column),
			help: column.help,
			names: data.columns[view.label] ?? [],
			values: data.columns[column.name] ?? [],
			unit: column.unit
		},
		column.name
	)) });
}

// src/views/switch.tsx
function Switch({ label: label2, values, value, choose }) {
	return jsxs("div", { class: "switch", role: "group", "aria-label": label2, children: [
		jsx("span", { class: "soft", children: label2 }),
		jsx("div", { children: values.map(([one, words4, help]) => jsx("button", { type: "button", title: help, "aria-pressed": one === value, onClick: () => choose(one), children: words4 }, one)) })
	] });
}

// src/tools/kernel_stats.tsx
var FIGURES2 = [
	group("Kernels", {
		kernel_count: "{} take {kernel_ms}",
		short_kernel_share: { words: "under 10 µs: {}, {short_kernel_time_share} of the time", always: !0 }
	}),
	group("Launch", {
		latency_p50_us: "latency p50 {}, p99 {latency_p99_us}",
		queue_p50_us: "of it queued p50 {}, p99 {queue_p99_us}",
		starved_share: "launched late (stream idle) {}"
	}),
	group("Tensor cores", {
		tensor_core_share: "used {} of kernel time",
		tensor_core_eligible_share: "eligible {}",
		tensor_core_missed_ms: "eligible but not used: {}"
	}),
	group("Copies", {
		copy_count: "{} take {copy_ms}",
		copied_bytes: "{}"
	}),
	group("CUDA graphs", {
		graph_kernel_share: "{} of the kernel time",
		graph_only_ms: "{} without traced kernels"
	})
];
function filtered({ page }, filter) {
	let { params } = page.selection, state = tableState(params, "kernels"), next2 = { ...state, filter: state.filter === filter ? "" : filter };
	page.navigate({ params: { ...withTableState(params, "kernels", next2), table: "" } }, "replace");
}
var PIES = [
	["names", "short_name", "Time by kernel", "filter the table by this name"],
	["kernels", "op_type", "Time by op type", "filter the table by this op type"]
];
function KernelPie({ pie: [table, column, title, what], ...part }) {
	let { answer, page } = part, { [column]: names = [], total_us: values = [] } = answer.tables[table]?.columns ?? {}, named2 = useMemo(() => names.map((name) => name || "unknown op"), [names]), filter = (name) => onlyWith(column, name === "unknown op" ? "" : name);
	if (!names.some((name) => name)) return null;
	let state = tableState(page.selection.params, "kernels");
	return jsx(
		Pie,
		{
			title,
			names: named2,
			values,
			unit: "us",
			whole: Number(answer.summary.kernel_ms ?? 0) * 1e3,
			count: table === "names" ? Number(answer.summary.names_rows ?? 0) : 0,
			what,
			pick: (name) => filtered(part, filter(name)),
			isPicked: (name) => state.filter === filter(name)
		}
	);
}
var BARS = [
	["kernel_share", "share of kernels", "--host"],
	["share", "share of kernel time", "--device"]
];
function Durations(part) {
	let spec = part.page.tool.tables.find(({ name }) => name === "durations"), data = part.answer.tables.durations;
	if (!spec || !data) return null;
	let range = (row) => {
		let [from, to] = ["from_us", "to_us"].map((name) => data.columns[name]?.[row]);
		return [from == null ? "" : `average_us>=${from}`, to == null ? "" : `average_us<${to}`].join(" ").trim();
	};
	return jsx(
		Histogram,
		{
			spec,
			data,
			title: spec.title,
			name: "duration",
			low: "from_us",
			bars: BARS,
			tell: ["kernels", "kernel_share", "total_us", "share"],
			what: "filter the table by this duration",
			pick: (row) => filtered(part, range(row))
		}
	);
}
var KERNELS = [
	"short_name",
	"op_name",
	"host",
	"device",
	"total_us",
	"share",
	"occurrences",
	"average_us",
	"min_us",
	"max_us",
	"tensor_core_eligible",
	"tensor_core_used",
	"occupancy_percent",
	"achieved_percent",
	"registers",
	"shared_bytes",
	"block",
	"grid",
	"op_type"
], COPIES = [
	"kind",
	"host",
	"device",
	"source",
	"destination",
	"to_device",
	"async",
	"total_us",
	"share",
	"occurrences",
	"average_us",
	"size_bytes",
	"average_size_bytes",
	"gb_s",
	"bus_gb_s",
	"bus_share",
	"compute_share",
	"min_us",
	"max_us",
	"unsized",
	"why_unknown"
], TABLES = [
	["kernels", "kernels", KERNELS],
	["names", "by name", []],
	["copies", "copies", COPIES],
	["graphs", "CUDA graphs", []],
	["devices", "devices", []]
], WHOLE_NAMES = { short_name: "name" };
function allRowsOf({ summary: summary3, tables }, table) {
	let data = tables[table], all = summary3[`${table}_rows`];
	return typeof all == "number" ? all : data ? rowCount(data) : 0;
}
var MISSED = "tensor_core_eligible=true tensor_core_used=false";
function Choices({ answer, page, table }) {
	let { params } = page.selection, set = (change) => page.navigate({ params: { ...params, ...change } }, "replace"), by = page.tool.options.find(({ name }) => name === "by"), filled = TABLES.filter(([name]) => allRowsOf(answer, name) > 0 || name === table);
	return jsxs("div", { class: "choices", children: [
		jsx(
			Switch,
			{
				label: "Show",
				values: filled.map(([name, words4]) => [name, `${words4} ${grouped(allRowsOf(answer, name))}`]),
				value: table,
				choose: (value) => set({ table: value === "kernels" ? "" : value })
			}
		),
		table === "kernels" && Number(answer.summary.tensor_core_missed_ms ?? 0) > 0 && jsx(
			"button",
			{
				type: "button",
				title: "Kernels that are eligible for tensor cores and do not use them",
				"aria-pressed": tableState(params, "kernels").filter === MISSED,
				onClick: () => filtered({ answer, page }, MISSED),
				children: "Eligible, not on tensor cores"
			}
		),
		by && (Number(answer.summary.device_count) > 1 || params.by) && jsx(
			Switch,
			{
				label: "Split by",
				values: by.choices.map((value) => [value, ["host", "device"].includes(value) ? value : "nothing", by.help]),
				value: params.by ?? String(by.default),
				choose: (value) => set({ by: value === String(by.default) ? "" : value })
			}
		)
	] });
}
function Table(part) {
	let { params } = part.page.selection, asked3 = TABLES.find(([name]) => name === params.table) ?? TABLES[0], filled = TABLES.find(([name]) => allRowsOf(part.answer, name) > 0), [table, , show2] = allRowsOf(part.answer, asked3[0]) || !filled ? asked3 : filled, above = jsx(Choices, { ...part, table }), cell = (name, row, { columns }) => String(columns[name]?.[row] ?? ""), nameOf4 = (row, data) => cell("short_name", row, data), own = table === "names" ? { what: "Show kernels", open: (row, data) => filtered(part, onlyWith("short_name", nameOf4(row, data))) } : {}, finds = {
		kernels: (row, data) => part.page.navigate(kernelInTrace(cell("name", row, data), nameOf4(row, data))),
		copies: (row, data) => part.page.navigate(copiesInTrace(cell("kind", row, data)))
	}, find2 = finds[table] ? { find: { what: "Find in trace ▸", open: finds[table] } } : {};
	return jsx(
		TablePart,
		{
			...part,
			table,
			show: show2,
			above,
			...own,
			...find2,
			also: [{
				what: "Show op ▸",
				can: (row, { columns }) => !!columns.op_name?.[row],
				open: (row, { columns }) => {
					let name = String(columns.op_name?.[row]), filter = `${onlyWith("name", name)} side=device`, by = /(^|\/)[a-z]\w*::/.test(name) ? { by: "module" } : {};
					part.page.navigate({ tool: "op_stats", params: { "ops.filter": filter, ...by } });
				}
			}],
			full: WHOLE_NAMES,
			class: "main-table"
		}
	);
}
function Report2(part) {
	return jsxs(Fragment2, { children: [
		jsx(ShortConclusion, { ...part, groups: FIGURES2 }),
		jsxs(Panel, { title: "", class: "pies", children: [
			PIES.map((pie) => jsx(KernelPie, { pie, ...part }, pie[0])),
			jsx(Durations, { ...part })
		] }),
		jsx(Table, { ...part })
	] });
}
function KernelStats(given_) {
	let tool = useMemo(() => inBinary(given_.tool, /shared/), [given_.tool]), page = { ...given_, tool }, asked3 = useAnswer(page.api, given(page));
	return jsx("div", { class: "page fits", children: jsx(Shown, { asked: asked3, children: (answer) => jsx(Report2, { answer, page }) }) });
}

// src/tools/memory_profile.tsx
var memory_profile_exports = {};
__export(memory_profile_exports, {
	default: () => MemoryProfile,
	keys: () => keys2
});

// src/views/area.ts
function numbers3({ columns }, name) {
	return (columns[name] ?? []).map((cell) => typeof cell == "number" ? cell : null);
}
var OUTSIDE = 0.02, DENSE = 0.2;
function busyOf({ starts, ends: ends2, events }, [from, to]) {
	let total2 = events.reduce((sum, one) => sum + (one ?? 0), 0);
	if (total2 < 10) return null;
	let reach = (rows2) => {
		let left2 = OUTSIDE * total2;
		return rows2.find((row) => (left2 -= events[row] ?? 0) < 0);
	}, rows = [...starts.keys()], [begin, end] = [starts[reach(rows)], ends2[reach(rows.reverse())]], room = Math.max(0.05 * (end - begin), 1e-3);
	return end - begin < DENSE * (to - from) ? [Math.max(from, begin - room), Math.min(to, end + room)] : null;
}
function areaOf(data) {
	let [begins, lengths, high] = ["start_ms", "duration_ms", "max_bytes"].map(
		(name) => numbers3(data, name)
	), rows = begins.flatMap((begin, row) => begin === null || high[row] == null ? [] : [row]);
	if (!rows.length || rows.length < begins.length) return null;
	let of = (name) => {
		let all = numbers3(data, name);
		return rows.map((row) => all[row] ?? null);
	}, [starts, most] = [begins, high], [free, fragmentation] = [of("free_bytes"), of("fragmentation_share")];
	return {
		starts,
		ends: starts.map((start, row) => start + Math.max(0, lengths[row] ?? 0)),
		events: of("events"),
		least: of("min_bytes"),
		most,
		last: of("last_bytes").map((last2, row) => last2 ?? most[row]),
		stack: of("stack_bytes"),
		heap: of("heap_bytes"),
		free,
		fragmentation,
		hasFree: free.some((value) => value !== null && value > 0),
		hasFragmentation: fragmentation.some((value) => value !== null)
	};
}
function wholesOf({ stack, heap, free, most }) {
	let told = free.map(
		(value, row) => value === null ? null : (stack[row] ?? 0) + (heap[row] ?? most[row] - (stack[row] ?? 0)) + value
	), last2 = told.find((value) => value !== null) ?? null;
	return told.map((value) => last2 = value ?? last2);
}
function pointsOf(area, end) {
	let points2 = { x: [], stack: [], least: [], most: [], all: [], fragmentation: [] }, wholes = wholesOf(area), add = (row2, x, least, most) => {
		let [stack, whole4] = [area.stack[row2] ?? 0, wholes[row2] ?? null];
		points2.x.push(x), points2.stack.push(Math.min(stack, least)), points2.least.push(least), points2.most.push(most), points2.all.push(whole4 === null ? null : Math.max(whole4, most)), points2.fragmentation.push(area.fragmentation[row2] ?? null);
	};
	area.starts.forEach((start, row2) => {
		let [last2, most, stop] = [area.last[row2], area.most[row2], area.ends[row2]], isLevel = area.least[row2] === last2 && most === last2;
		add(row2, start, area.least[row2] ?? most, most);
		let next2 = area.starts[row2 + 1] ?? Math.max(end, stop);
		!isLevel && stop < next2 && add(row2, stop, last2, last2);
	});
	let row = area.starts.length - 1;
	return add(row, Math.max(end, area.ends[row]), area.last[row], area.last[row]), points2;
}
function stretchAt({ starts }, x) {
	let [low, high] = [0, starts.length];
	for (; low < high; ) {
		let middle3 = low + high >> 1;
		starts[middle3] <= x ? low = middle3 + 1 : high = middle3;
	}
	return Math.max(0, low - 1);
}
var SMALL2 = 0.2;
function drawsFree(area, chosen2) {
	if (!area.hasFree) return !1;
	if (chosen2) return chosen2 === "true";
	let whole4 = area.starts.map((_, row) => area.most[row] + (area.free[row] ?? 0));
	return area.most.reduce((a, b) => Math.max(a, b), 0) >= SMALL2 * whole4.reduce((a, b) => Math.max(a, b), 0);
}
function windowAround([from, to], at, factor, [least, most]) {
	let width = Math.min(most - least, (to - from) / factor), part = to > from ? (at - from) / (to - from) : 0.5, begin = Math.max(least, Math.min(most - width, at - part * width));
	return [begin, begin + width];
}

// src/views/area_draw.ts
var HEIGHT_PX3 = 220, UNIT = "memory", AXIS2 = { gap: 4, font: "11px system-ui, sans-serif", ticks: { show: !1 } }, DRAG_PX2 = 5, INCREMENTS = Array.from({ length: 51 }, (_, power) => [2 ** power, 1.5 * 2 ** power]).flat().filter(Number.isInteger);
function mixed(a, b, part) {
	let channels = (hex) => [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16)), [one, two] = [channels(a), channels(b)];
	return `#${one.map(
		(value, i) => Math.round(value * part + two[i] * (1 - part)).toString(16).padStart(2, "0")
	).join("")}`;
}
var LAYERS = [
	{ name: "all", fill: () => colour("--memory-free") },
	{ name: "most", fill: () => mixed(colour("--memory-heap"), colour("--panel"), 0.5) },
	{ name: "least", fill: () => colour("--memory-heap") },
	{ name: "stack", fill: () => colour("--memory-stack") }
];
function optionsOf2(scene, width, events) {
	let { area, window: window3, free } = scene, stepped3 = whole2.paths.stepped({ align: 1 }), series = LAYERS.map(({ name, fill }) => ({
		scale: "bytes",
		show: name !== "all" || free,
		stroke: name === "most" ? () => colour("--memory-heap") : fill,
		width: name === "most" ? 1 : 0,
		fill,
		points: { show: !1 },
		paths: stepped3
	})), line = {
		scale: "share",
		show: area.hasFragmentation,
		stroke: () => colour("--text"),
		width: 1.25,
		dash: [5, 4],
		points: { show: !1 },
		paths: stepped3
	};
	return {
		width,
		height: HEIGHT_PX3,
		padding: [12, area.hasFragmentation ? 0 : 12, 0, 0],
		legend: { show: !1 },
		scales: {
			x: { time: !1, range: () => [...window3] },
			bytes: { range: (_plot, _low, high) => [0, (high || 1) * 1.06] },
			share: { range: () => [0, 1] }
		},
		axes: [
			{
				...AXIS2,
				size: 20,
				stroke: () => colour("--soft"),
				grid: { show: !1 },
				values: (_plot, ticks) => ticks.map((tick) => tickText(tick, "ms"))
			},
			{
				...AXIS2,
				size: 62,
				scale: "bytes",
				space: 32,
				incrs: INCREMENTS,
				stroke: () => colour("--soft"),
				grid: { stroke: () => colour("--line"), width: 1 },
				values: (_plot, ticks) => ticks.map((tick) => tickText(tick, UNIT))
			},
			{
				...AXIS2,
				size: 44,
				scale: "share",
				side: 1,
				show: area.hasFragmentation,
				space: 40,
				stroke: () => colour("--soft"),
				grid: { show: !1 },
				values: (_plot, ticks) => ticks.map((tick) => tickText(tick, "share"))
			}
		],
		series: [{}, ...series, line],
		cursor: { y: !1, points: { show: !1 }, drag: { x: !0, y: !1, setScale: !1, dist: DRAG_PX2 } },
		hooks: {
			setCursor: [
				(plot) => {
					let left2 = plot.cursor.left ?? -1;
					events.hover(left2 < 0 ? null : plot.posToVal(left2, "x"));
				}
			],
			setSelect: [
				(plot) => {
					let { left: left2, width: wide } = plot.select;
					wide < DRAG_PX2 || (events.zoom([plot.posToVal(left2, "x"), plot.posToVal(left2 + wide, "x")]), plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, !1));
				}
			],
			draw: [(plot) => drawSteps(plot, scene), (plot) => drawPeak(plot, scene)]
		}
	};
}
function drawSteps({ ctx, bbox, valToPos }, { steps, window: window3 }) {
	let ratio = whole2.pxRatio;
	ctx.save(), ctx.font = `${10 * ratio}px system-ui, sans-serif`, ctx.fillStyle = colour("--soft"), ctx.textBaseline = "top", ctx.textAlign = "left";
	let free = -1 / 0;
	for (let { start_ms, name } of steps) {
		if (start_ms < window3[0] || start_ms > window3[1]) continue;
		let x = Math.round(valToPos(start_ms, "x", !0)), wide = ctx.measureText(name).width;
		x < free || (free = x + wide + 12 * ratio, ctx.fillRect(x, bbox.top - 10 * ratio, ratio, 9 * ratio), !(x + 4 * ratio + wide > bbox.left + bbox.width) && ctx.fillText(name, x + 4 * ratio, bbox.top - 11 * ratio));
	}
	ctx.restore();
}
function drawPeak({ ctx, bbox, valToPos }, { peak, window: window3 }) {
	if (!peak || peak.at_ms < window3[0] || peak.at_ms > window3[1]) return;
	let ratio = whole2.pxRatio, [x, y] = [valToPos(peak.at_ms, "x", !0), valToPos(peak.bytes, "bytes", !0)];
	ctx.save(), ctx.font = `600 ${11 * ratio}px system-ui, sans-serif`;
	let wide = ctx.measureText(peak.words).width, isLeft = x + wide + 12 * ratio > bbox.left + bbox.width;
	ctx.fillStyle = colour("--panel"), ctx.globalAlpha = 0.85, ctx.fillRect(isLeft ? x - wide - 12 * ratio : x + 6 * ratio, y + 2 * ratio, wide + 6 * ratio, 15 * ratio), ctx.globalAlpha = 1, ctx.fillStyle = colour("--text"), ctx.beginPath(), ctx.arc(x, y, 3.5 * ratio, 0, 2 * Math.PI), ctx.fill(), ctx.textBaseline = "middle", ctx.textAlign = isLeft ? "right" : "left", ctx.fillText(peak.words, isLeft ? x - 9 * ratio : x + 9 * ratio, y + 10 * ratio), ctx.restore();
}

// src/views/area_view.tsx
var KEYS4 = [
	["← → Home End", "in memory over time: previous, next, first, last interval (Page keys: further)", ".area"],
	["+ −, or drag", "in memory over time: zoom in, out; Esc or double click: all", ".area"],
	["Enter", "in memory over time: show the time in the trace", ".area"]
], PS_PER_MS3 = 1e9, MOST_LETTERS3 = 80;
function bytes(value) {
	return formatValue(value, UNIT);
}
function levelInWords(area, row) {
	let [least, most] = [area.least[row], area.most[row]], from = least != null && least < most ? `${bytes(least)} to ` : "", stretch3 = area.ends[row] - area.starts[row], events = area.events[row], among = events && events > 1 ? `, ${counted(events, "event")} in ${formatNumber(stretch3, "ms")}` : "";
	return `at ${formatNumber(area.starts[row], "ms")}: ${from}${bytes(most)} in use${among}`;
}
function Details({ area, data, row, isPeak }) {
	let cell = (name) => formatValue(data.columns[name]?.[row] ?? null, ""), size = (name) => {
		let value = data.columns[name]?.[row];
		return typeof value == "number" ? value : null;
	}, [op, activity, step] = ["op", "activity", "step"].map(cell), [given2, asked3] = [size("allocation_bytes"), size("requested_bytes")], facts = ["region", "data_type", "shape", "address"].map(cell).filter((text3) => text3 && text3 !== UNKNOWN).map((text3) => text3.length > MOST_LETTERS3 ? `${text3.slice(0, MOST_LETTERS3)}…` : text3), parts2 = [
		["stack", area.stack[row]],
		["heap", area.heap[row]],
		["free", area.free[row]]
	].filter(([name]) => area[name].some((value) => value));
	return jsxs("div", { class: "area-details", "aria-live": "polite", children: [
		jsxs("p", { children: [
			jsx("b", { children: isPeak && "Peak " }),
			jsx("span", { title: exactValue(area.most[row], UNIT), children: levelInWords(area, row) }),
			step && step !== UNKNOWN && jsxs("span", { class: "soft", children: [
				"step ",
				step
			] }),
			parts2.map(([name, value]) => jsxs("span", { title: exactValue(value, UNIT), class: value == null ? "soft" : "", children: [
				jsx("i", { style: { background: `var(--memory-${name})` } }),
				name,
				" ",
				bytes(value)
			] }, name)),
			area.hasFragmentation && jsxs("span", { children: [
				jsx("i", { class: "dash" }),
				"fragmentation ",
				area.fragmentation[row] == null ? UNKNOWN : percent(area.fragmentation[row])
			] })
		] }),
		jsx("p", { children: activity && activity !== UNKNOWN ? jsxs(Fragment2, { children: [
			jsxs("span", { children: [
				area.events[row] > 1 ? "highest, after " : "after ",
				/^[aeiou]/.test(activity) ? "an" : "a",
				" ",
				activity,
				given2 !== null && jsxs("span", { title: exactValue(given2, UNIT), children: [
					" ",
					"of ",
					jsx("b", { children: bytes(given2) })
				] }),
				asked3 !== null && asked3 > 0 && asked3 !== given2 && jsxs("span", { class: "soft", title: exactValue(asked3, UNIT), children: [
					" ",
					"(",
					bytes(asked3),
					" requested)"
				] })
			] }),
			op && op !== UNKNOWN ? jsx(Name, { text: op }) : jsx("span", { class: "soft", children: "op unknown" }),
			jsx("span", { class: "soft facts", title: facts.join(" · "), children: facts.join(" · ") })
		] }) : jsx("span", { class: "soft", children: "level at the start of the window: no event yet" }) })
	] });
}
function summary(title, area, peak) {
	let span2 = area.ends[area.ends.length - 1] - area.starts[0], [low, high] = [area.least, area.most].map(
		(values, i) => values.reduce((a, b) => i ? Math.max(a, b ?? a) : Math.min(a, b ?? a), i ? 0 : 1 / 0)
	), events = area.events.reduce((sum, one) => sum + (one ?? 0), 0);
	return `${title}: ${counted(events, "event")} over ${formatNumber(span2, "ms")}, ${bytes(low)} to ${bytes(high)} in use. ${peak ? `The peak is ${bytes(peak.bytes)} at ${formatNumber(peak.at_ms, "ms")}.` : ""}`;
}
function AreaChart(props) {
	let area = useMemo(() => areaOf(props.data), [props.data]);
	return area ? jsx(Drawn, { ...props, area }) : jsxs("p", { class: "soft", children: [
		props.title,
		": nothing to draw; no memory event falls into this window."
	] });
}
function Drawn(props) {
	let { title, spec, data, csv, json, window: window3, all, peak, steps, setFree, setWindow, open, area } = props, free = drawsFree(area, props.free), scene = useMemo(
		() => ({ area, points: pointsOf(area, window3[1]), window: window3, free, peak, steps }),
		[area, free, window3[0], window3[1]]
	), words4 = useMemo(() => summary(title, area, peak), [title, area]), hasStack = area.stack.some((value) => value), [row, setRow] = useState(null), latest = useRef(setWindow);
	latest.current = setWindow;
	let { box, plot } = usePlot(() => {
		let { x, all: all2, most, least, stack, fragmentation } = scene.points, hover = (at) => setRow(at === null ? null : stretchAt(area, at));
		return {
			options: (width) => optionsOf2(scene, width, { hover, zoom: (chosen2) => latest.current(chosen2) }),
			points: [x, all2, most, least, stack, fragmentation]
		};
	}, [scene]), peakRow = peak && peak.at_ms >= area.starts[0] ? stretchAt(area, peak.at_ms) : 0, shown3 = row !== null && row < area.starts.length ? row : peakRow, go2 = () => {
		let [from, to] = [area.starts[shown3], area.ends[shown3]];
		open(Math.floor(from * PS_PER_MS3), Math.ceil(Math.max(to, from + 1e-3) * PS_PER_MS3));
	}, zoom = (factor) => {
		let whole4 = all ?? [0, 4 * window3[1]], at = row === null ? (window3[0] + window3[1]) / 2 : area.starts[row], next2 = windowAround(window3, at, factor, whole4);
		setWindow(next2[1] - next2[0] >= 0.999 * (whole4[1] - whole4[0]) ? null : next2);
	}, onKeyDown2 = (event) => {
		if (event.ctrlKey || event.metaKey || event.altKey) return;
		let next2 = moved(event.key, row ?? peakRow, area.starts.length);
		if (next2 !== null)
			plot.current?.setCursor({ left: plot.current.valToPos(area.starts[next2], "x"), top: 0 }, !1), setRow(next2);
		else if (event.key === "Enter") go2();
		else if (event.key === "+") zoom(2);
		else if (event.key === "-") zoom(0.5);
		else if (event.key === "Escape" && isPart) setWindow(null);
		else return;
		event.preventDefault();
	}, busy = useMemo(() => busyOf(area, window3), [area, window3[0], window3[1]]), isPart = all === null || window3[1] - window3[0] < 0.999 * (all[1] - all[0]);
	return jsxs("div", { class: "area", children: [
		jsxs("div", { class: "table-bar", children: [
			jsx("h2", { title: spec.help, children: title }),
			jsxs("p", { class: "legend", children: [
				[...hasStack ? ["stack"] : [], "heap", ...free ? ["free"] : []].map((name) => jsxs("span", { children: [
					jsx("i", { style: { background: `var(--memory-${name})` } }),
					name
				] }, name)),
				area.most.some((most, i) => (area.least[i] ?? most) < most) && jsxs("span", { title: "Lowest to highest use within one pixel", children: [
					jsx("i", { class: "paler" }),
					"lowest to highest"
				] }),
				area.hasFragmentation && jsxs("span", { children: [
					jsx("i", { class: "dash" }),
					"fragmentation"
				] })
			] }),
			area.hasFree && jsxs("label", { title: "Draws free memory above memory in use: the scale is then the capacity", children: [
				jsx("input", { type: "checkbox", checked: free, onChange: (event) => setFree(String(event.currentTarget.checked)) }),
				" ",
				"free"
			] }),
			jsx("span", { class: "grow" }),
			busy && jsx(
				"button",
				{
					type: "button",
					title: `Nearly all memory events are within ${formatNumber(busy[1] - busy[0], "ms")}`,
					onClick: () => setWindow(busy),
					children: "Zoom to the events"
				}
			),
			isPart && jsx("button", { type: "button", title: "Show the whole capture (Esc, double click)", onClick: () => setWindow(null), children: "Show all" }),
			jsx("button", { type: "button", title: "Show this time in the trace (Enter)", onClick: go2, children: "Show in trace ▸" }),
			jsx(Links, { csv, json })
		] }),
		jsx(Details, { area, data, row: shown3, isPeak: shown3 === peakRow && peak !== null }),
		jsx(
			"div",
			{
				ref: box,
				class: "area-plot",
				tabIndex: 0,
				role: "slider",
				"aria-label": title,
				"aria-description": words4,
				"aria-valuemin": 0,
				"aria-valuemax": area.starts.length - 1,
				"aria-valuenow": shown3,
				"aria-valuetext": row === null ? words4 : levelInWords(area, shown3),
				title: "Drag to zoom in; double click for all",
				onDblClick: () => isPart && setWindow(null),
				onKeyDown: onKeyDown2
			}
		)
	] });
}

// src/views/bars.tsx
var MOST_ROWS = 8;
function segments(columns, data, row) {
	return columns.flatMap((column) => {
		let value = data.columns[column.name]?.[row];
		return typeof value == "number" && value > 0 ? [{ column, value }] : [];
	});
}
function total(parts2) {
	return parts2.reduce((sum, part) => sum + part.value, 0);
}
function Bar({ parts: parts2, most, name }) {
	return jsx("span", { class: "bar", children: parts2.map(({ column, value }) => jsx(
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
function Bars({ view, spec, data }) {
	let columns = spec.columns.filter((c) => view.values.includes(c.name)), seen = columns.filter((c) => data.columns[c.name]?.some((value) => typeof value == "number" && value > 0)), labels2 = data.columns[view.label] ?? [], filled = Array.from({ length: rowCount(data) }, (_, row) => ({ row, parts: segments(columns, data, row) })).filter(({ parts: parts2 }) => parts2.length), most = Math.max(...filled.map(({ parts: parts2 }) => total(parts2))), rest = filled.slice(MOST_ROWS).reduce((sum, { parts: parts2 }) => sum + total(parts2), 0), unit = columns[0]?.unit ?? "";
	return jsxs("div", { class: "bars", children: [
		columns.length > 1 && jsx("p", { class: "legend", children: seen.map((c) => jsxs("span", { title: c.help, children: [
			jsx("i", { style: { background: `var(${categoryOf(c.name)})` } }),
			label(c)
		] }, c.name)) }),
		jsx("ul", { children: filled.slice(0, MOST_ROWS).map(({ row, parts: parts2 }) => jsxs("li", { children: [
			jsx(Name, { text: formatValue(labels2[row], "") }),
			jsx(Bar, { parts: parts2, most, name: columns.length > 1 ? "" : String(labels2[row]) }),
			jsx("span", { class: "number", children: formatNumber(total(parts2), unit) })
		] }, row)) }),
		filled.length > MOST_ROWS && jsxs("p", { class: "soft", children: [
			"and ",
			filled.length - MOST_ROWS,
			" more, total ",
			formatNumber(rest, unit)
		] }),
		!filled.length && jsx("p", { class: "soft", children: "Nothing to draw: every value is zero or unknown." })
	] });
}

// src/views/flame.ts
function amount(cell) {
	return typeof cell == "number" && cell > 0 ? cell : 0;
}
function nested(given2, count) {
	let [parents, depths, next2] = [new Int32Array(count), new Int32Array(count), new Int32Array(count).fill(count)], open = [], isOpen2 = new Uint8Array(count);
	for (let row = 0; row < count; row++) {
		let cell = given2[row], parent = typeof cell == "number" && isOpen2[cell] ? cell : -1;
		for (; open.length && open[open.length - 1] !== parent; ) {
			let closed = open.pop();
			next2[closed] = row, isOpen2[closed] = 0;
		}
		parents[row] = parent, depths[row] = open.length, open.push(row), isOpen2[row] = 1;
	}
	return { parents, depths, next: next2 };
}
function flameOf({ columns }, { value, self }) {
	let given2 = columns.parent ?? [], count = given2.length, tree = nested(given2, count), values = Float64Array.from({ length: count }, (_, row) => amount(columns[value]?.[row])), below = new Float64Array(count), total2 = 0;
	for (let row = count - 1; row >= 0; row--) {
		values[row] = Math.max(values[row], below[row]);
		let parent = tree.parents[row];
		parent >= 0 ? below[parent] += values[row] : total2 += values[row];
	}
	if (!total2) return null;
	let selfs = Float64Array.from(
		{ length: count },
		(_, row) => self ? amount(columns[self]?.[row]) : values[row] - below[row]
	), starts = startsOf(tree.parents, values), names = (columns.name ?? []).map(String);
	return { ...tree, names, values, selfs, starts, total: total2, rows: 1 + tree.depths.reduce((a, b) => Math.max(a, b), 0) };
}
function startsOf(parents, values) {
	let [starts, filled] = [new Float64Array(values.length), new Float64Array(values.length)], end = 0;
	for (let row = 0; row < values.length; row++) {
		let parent = parents[row];
		starts[row] = parent < 0 ? end : filled[parent], filled[row] = starts[row], parent < 0 ? end += values[row] : filled[parent] += values[row];
	}
	return starts;
}
function spanOf(flame, frame) {
	return frame === null || !(flame.values[frame] > 0) ? { frame: null, from: 0, to: flame.total } : { frame, from: flame.starts[frame], to: flame.starts[frame] + flame.values[frame] };
}
function boxesOf(flame, span2, least, first = 0, last2 = 1 / 0) {
	let { starts, values, depths, next: next2 } = flame, width = span2.to - span2.from, boxes = [], fillers = /* @__PURE__ */ new Map();
	for (let row = 0; row < starts.length; ) {
		let left2 = (starts[row] - span2.from) / width, right = (starts[row] + values[row] - span2.from) / width, depth = depths[row];
		right <= 1e-9 || left2 >= 1 - 1e-9 || depth > last2 ? row = next2[row] : right - left2 < least ? (depth >= first && filler(boxes, fillers, depth, left2, right, least), row = next2[row]) : (depth >= first && boxes.push({ frame: row, depth, left: Math.max(0, left2), right: Math.min(1, right) }), row++);
	}
	return boxes;
}
function filler(boxes, open, depth, left2, right, least) {
	let before = open.get(depth);
	if (before && left2 - before.right < least) before.right = Math.max(before.right, right);
	else {
		let box = { frame: -1, depth, left: left2, right };
		boxes.push(box), open.set(depth, box);
	}
}
function frameAt(flame, span2, x, depth) {
	let at = span2.from + x * (span2.to - span2.from), { starts, values, depths, next: next2 } = flame;
	for (let row = 0; row < starts.length; ) {
		let inside2 = at >= starts[row] && at < starts[row] + values[row];
		if (inside2 && depths[row] === depth) return row;
		row = inside2 ? row + 1 : next2[row];
	}
	return null;
}
function matcherOf(flame, text3) {
	let words4 = text3.toLowerCase().split(/\s+/).filter(Boolean);
	if (!words4.length) return null;
	let known3 = /* @__PURE__ */ new Map();
	return (frame) => {
		let name = flame.names[frame], found = known3.get(name);
		if (found === void 0) {
			let lower = name.toLowerCase();
			known3.set(name, found = words4.every((word) => lower.includes(word)));
		}
		return found;
	};
}
function matched(flame, span2, matches) {
	let { starts, values, next: next2 } = flame, [frames, value, covered] = [0, 0, 0], [begin, end] = span2.frame === null ? [0, starts.length] : [span2.frame, next2[span2.frame]];
	for (let row = begin; row < end; row++)
		matches(row) && (frames++, !(row < covered) && (value += values[row], covered = next2[row]));
	return { frames, value, share: value / (span2.to - span2.from) };
}
function callees(flame, frame) {
	let found = [], end = frame === null ? flame.starts.length : flame.next[frame];
	for (let row = frame === null ? 0 : frame + 1; row < end; row = flame.next[row]) found.push(row);
	return found;
}
function widest(flame, frames) {
	return frames.reduce(
		(best, one) => best !== null && flame.values[best] >= flame.values[one] ? best : one,
		null
	);
}
function movedFrame(flame, key, frame) {
	if (frame === null) return key.startsWith("Arrow") ? widest(flame, callees(flame, null)) : null;
	let parent = flame.parents[frame] < 0 ? null : flame.parents[frame];
	if (key === "ArrowUp") return parent ?? frame;
	if (key === "ArrowDown") return widest(flame, callees(flame, frame)) ?? frame;
	if (key !== "ArrowLeft" && key !== "ArrowRight") return null;
	let row = callees(flame, parent);
	return row[row.indexOf(frame) + (key === "ArrowRight" ? 1 : -1)] ?? frame;
}
function pathTo(flame, frame) {
	let path = [frame];
	for (let at = flame.parents[frame]; at >= 0; at = flame.parents[at]) path.push(at);
	return path.reverse();
}
function heaviestPath(flame) {
	let path = [], at = widest(flame, callees(flame, null));
	for (; at !== null && flame.values[at] >= 0.5 * (path.length ? flame.values[path[path.length - 1]] : flame.total); )
		path.push(at), at = widest(flame, callees(flame, at));
	return path;
}
function topNames(flame, most) {
	let sums = /* @__PURE__ */ new Map();
	return flame.names.forEach((name, row) => sums.set(name, (sums.get(name) ?? 0) + flame.selfs[row])), [...sums].map(([name, self]) => ({ name, self })).filter(({ self }) => self > 0).sort((a, b) => b.self - a.self).slice(0, most);
}

// src/views/flame_draw.ts
var ROW_PX3 = 18, FONT2 = '11px ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace', LETTER_PX3 = 6.63, LEAST_PX = 1, PADDING_PX2 = 4;
function paletteNow() {
	return new Palette(document.documentElement.dataset.theme === "dark", colour);
}
function cutTo(text3, letters) {
	if (text3.length <= letters) return text3;
	if (letters < 3) return "";
	let tail = Math.floor((letters - 1) / 2);
	return `${text3.slice(0, letters - 1 - tail)}…${tail ? text3.slice(-tail) : ""}`;
}
function drawFlame(ctx, palette, scene) {
	let { flame, span: span2, width, height, top, at, hovered, matches } = scene;
	ctx.clearRect(0, 0, width, height), ctx.font = FONT2, ctx.textBaseline = "middle";
	let [edge, filler2] = [colour("--text"), colour("--unknown")], [first, last2] = [Math.floor(top / ROW_PX3), Math.ceil((top + height) / ROW_PX3)], outlined = [];
	for (let { frame, depth, left: left2, right } of boxesOf(flame, span2, LEAST_PX / width, first, last2)) {
		let [x, y] = [left2 * width, depth * ROW_PX3 - top], room = (right - left2) * width, wide = room > 3 ? room - 1 : room;
		if (frame < 0) {
			ctx.globalAlpha = matches ? 0.2 : 0.5, ctx.fillStyle = filler2, ctx.fillRect(x, y, Math.max(1, wide), ROW_PX3 - 1);
			continue;
		}
		let paint3 = palette.of(flame.names[frame]), isCaller = flame.values[frame] > (span2.to - span2.from) * 1.000001;
		ctx.globalAlpha = matches && !matches(frame) ? 0.22 : isCaller ? 0.6 : 1, ctx.fillStyle = paint3.fill, ctx.fillRect(x, y, wide, ROW_PX3 - 1), ctx.globalAlpha = 1, write(ctx, flame.names[frame], matches && !matches(frame) ? edge : paint3.text, x, y, wide), (frame === at || frame === hovered) && (outlined = [...outlined, [frame, x, y, wide]]);
	}
	ctx.globalAlpha = 1;
	for (let [frame, x, y, wide] of outlined)
		ctx.strokeStyle = frame === at ? colour("--accent") : edge, ctx.lineWidth = 2, ctx.strokeRect(x + 1, y + 1, Math.max(1, wide - 2), ROW_PX3 - 3);
}
function write(ctx, name, fill, x, y, wide) {
	let text3 = cutTo(name, Math.floor((wide - 2 * PADDING_PX2) / LETTER_PX3));
	text3 && (ctx.fillStyle = fill, ctx.fillText(text3, x + PADDING_PX2, y + ROW_PX3 / 2, wide - 2 * PADDING_PX2));
}

// src/views/flame_view.tsx
var KEYS5 = [
	["↑ ↓ ← →", "in a flame graph: to the caller, the largest callee, the neighbours", ".flame"],
	["Enter, or click", "in a flame graph: zoom to the frame", ".flame"],
	["Backspace, Esc", "in a flame graph: its caller, all", ".flame"]
], MOST_PX = 420, ZOOM_MS = 160;
function useGliding(target) {
	let [shown3, show2] = useState(target), from = useRef(target);
	return useEffect(() => {
		let begin = from.current, still = matchMedia("(prefers-reduced-motion: reduce)").matches, start = performance.now(), frame = 0, move = (now) => {
			let part = still ? 1 : Math.min(1, Math.max(0, (now - start) / ZOOM_MS)), ease = 1 - (1 - part) ** 3, at = { ...target, from: mix(begin.from, target.from, ease), to: mix(begin.to, target.to, ease) };
			from.current = part < 1 ? at : target, show2(from.current), part < 1 && (frame = requestAnimationFrame(move));
		};
		return move(start), () => cancelAnimationFrame(frame);
	}, [target]), shown3;
}
function mix(a, b, part) {
	return a + (b - a) * part;
}
function useSize(element) {
	let [size, setSize] = useState({ width: 0, height: 0 });
	return useEffect(() => {
		let box = element.current, fit = () => setSize({ width: box.clientWidth, height: box.clientHeight }), sizes = new ResizeObserver(fit);
		return sizes.observe(box), fit(), () => sizes.disconnect();
	}, []), size;
}
function useDrawing(scroller, scene) {
	let canvas = useRef(null), palette = useRef(paletteNow()), latest = useRef(scene);
	latest.current = scene;
	let draw2 = useRef(() => {
		let context = canvas.current?.getContext("2d"), { width, height } = latest.current;
		if (!context || !width || !height) return;
		let ratio = window.devicePixelRatio || 1, [wide, high] = [width, height].map((px) => Math.round(px * ratio));
		context.canvas.width !== wide && (context.canvas.width = wide), context.canvas.height !== high && (context.canvas.height = high), context.setTransform(ratio, 0, 0, ratio, 0, 0), drawFlame(context, palette.current, { ...latest.current, top: scroller.current?.scrollTop ?? 0 });
	});
	return useEffect(() => draw2.current()), useEffect(
		() => onTheme(() => {
			palette.current = paletteNow(), draw2.current();
		}),
		[]
	), { canvas, draw: draw2.current };
}
function frameInWords(flame, frame, unit) {
	let { values, parents, total: total2, selfs } = flame, parent = parents[frame], ofCaller = parent < 0 ? "" : `, ${percent(values[frame] / values[parent])} of its caller`, own = selfs[frame] > 0 ? `; ${formatNumber(selfs[frame], unit)} self` : "";
	return `${formatNumber(values[frame], unit)}, ${percent(values[frame] / total2)} of all${ofCaller}${own}`;
}
function summary2(title, flame, unit) {
	let way = heaviestPath(flame).map((frame) => flame.names[frame]), tops = topNames(flame, 5).map(({ name, self }) => `${name} ${formatNumber(self, unit)}`);
	return [
		`${title}: ${counted(flame.names.length, "frame")}, ${formatNumber(flame.total, unit)} total.`,
		way.length ? `Heaviest path: ${way.slice(0, 12).join(" > ")}.` : "",
		`Highest self: ${tops.join(", ")}.`
	].join(" ");
}
function Details2({ flame, frame, unit, spec, data, hidden }) {
	let callers = pathTo(flame, frame).slice(0, -1), more = spec.columns.filter(({ name }) => !hidden.includes(name) && data.columns[name]?.[frame] != null);
	return jsxs(Fragment2, { children: [
		jsxs("p", { class: "flame-line", children: [
			jsx(Name, { text: flame.names[frame] }),
			jsx("span", { title: exactValue(flame.values[frame], unit.unit), children: frameInWords(flame, frame, unit.unit) })
		] }),
		jsxs("p", { class: "flame-line soft", children: [
			more.map((column) => {
				let value = formatCell(data.columns[column.name]?.[frame], column);
				return value && jsx("span", { title: column.help, children: `${label(column)}: ${value}` }, column.name);
			}),
			callers.length > 0 && jsx(
				"span",
				{
					class: "flame-way",
					title: callers.slice(-60).map((one) => flame.names[one]).join(`
`),
					children: callers.slice(-6).reverse().map((one) => `‹ ${flame.names[one]}`).join(" ")
				}
			)
		] })
	] });
}
function FlameGraph(props) {
	let { data, value, self } = props, flame = useMemo(() => flameOf(data, { value, self }), [data, value, self]);
	return flame ? jsx(Drawn2, { ...props, flame }) : jsxs("p", { class: "soft", children: [
		props.title,
		": nothing to draw; no row, or every value is zero or unknown."
	] });
}
function Drawn2(props) {
	let { title, spec, data, value, self, csv, json, state, setState, flame, most = MOST_PX } = props, column = spec.columns.find(({ name }) => name === value) ?? spec.columns[0], focus = state.at !== null && state.at < flame.names.length ? state.at : null, target = useMemo(() => spanOf(flame, focus), [flame, focus]), span2 = useGliding(target), matches = useMemo(() => matcherOf(flame, state.find), [flame, state.find]), found = useMemo(() => matches && matched(flame, target, matches), [flame, target, matches]), words4 = useMemo(() => summary2(title, flame, column.unit), [title, flame, column]), [at, setAt] = useState(focus), [hovered, setHovered] = useState(null);
	useEffect(() => setAt(focus), [focus, flame]);
	let scroller = useRef(null), size = useSize(scroller), { canvas, draw: draw2 } = useDrawing(scroller, { flame, span: span2, ...size, at, hovered, matches }), zoom = (frame) => setState({ ...state, at: frame }), frameUnder = (event) => {
		let box = canvas.current.getBoundingClientRect(), y = event.clientY - box.top + scroller.current.scrollTop;
		return frameAt(flame, span2, (event.clientX - box.left) / box.width, Math.floor(y / ROW_PX3));
	}, reveal = (frame) => {
		let [element, y] = [scroller.current, flame.depths[frame] * ROW_PX3];
		y < element.scrollTop ? element.scrollTop = y : y + ROW_PX3 > element.scrollTop + element.clientHeight && (element.scrollTop = y + ROW_PX3 - element.clientHeight);
	}, onKeyDown2 = (event) => {
		if (event.ctrlKey || event.metaKey || event.altKey) return;
		let next2 = movedFrame(flame, event.key, at);
		if (next2 !== null)
			setAt(next2), reveal(next2), (flame.starts[next2] < target.from || flame.starts[next2] >= target.to) && zoom(null);
		else if (event.key === "Enter" && at !== null) zoom(at);
		else if (event.key === "Backspace" && focus !== null)
			zoom(flame.parents[focus] < 0 ? null : flame.parents[focus]);
		else if (event.key === "Escape" && focus !== null) zoom(null);
		else return;
		event.preventDefault();
	}, shown3 = hovered ?? at, hidden = ["parent", "depth", "name", "share", value, self];
	return jsxs("div", { class: "flame", children: [
		jsxs("div", { class: "table-bar", children: [
			jsx("h2", { title: spec.help, children: title }),
			jsx(
				"input",
				{
					type: "search",
					class: "table-filter",
					spellcheck: !1,
					"aria-label": `Find in ${title}`,
					placeholder: "Find: conv jit",
					title: "All words must be in the frame's name",
					value: state.find,
					onInput: (event) => setState({ ...state, find: event.currentTarget.value })
				}
			),
			jsx("span", { class: "soft", "aria-live": "polite", children: found && (found.frames ? `${counted(found.frames, "frame")}, ${formatNumber(found.value, column.unit)}, ${percent(found.share)}` : "no frame matches") }),
			jsx("span", { class: "grow" }),
			focus !== null && jsx("button", { type: "button", onClick: () => zoom(null), title: "Show all frames (Esc)", children: "Show all" }),
			jsx(Links, { csv, json })
		] }),
		jsx("div", { class: "flame-details", "aria-live": "polite", children: shown3 === null ? jsxs(Fragment2, { children: [
			jsxs("p", { class: "flame-line", children: [
				jsx("b", { children: formatNumber(flame.total, column.unit) }),
				" in ",
				counted(flame.names.length, "frame")
			] }),
			jsx("p", { class: "flame-line soft", children: "Click a frame to zoom to it; hover for its numbers." })
		] }) : jsx(Details2, { flame, spec, data, hidden, frame: shown3, unit: column }) }),
		jsx(
			"div",
			{
				class: "flame-scroll",
				ref: scroller,
				style: { height: `${Math.min(most, flame.rows * ROW_PX3)}px` },
				tabIndex: 0,
				role: "application",
				"aria-roledescription": "flame graph",
				"aria-label": title,
				"aria-description": words4,
				onScroll: draw2,
				onKeyDown: onKeyDown2,
				onPointerMove: (event) => setHovered(frameUnder(event)),
				onPointerLeave: () => setHovered(null),
				onClick: (event) => {
					let frame = frameUnder(event);
					frame !== null && zoom(frame);
				},
				children: jsx("div", { style: { height: `${flame.rows * ROW_PX3}px` }, children: jsx("canvas", { ref: canvas, "aria-hidden": "true", style: { height: `${size.height}px` } }) })
			}
		),
		jsx("p", { class: "offscreen", children: words4 })
	] });
}

// src/views/growth.ts
function numbers4({ columns }, name) {
	return (columns[name] ?? []).map((cell) => typeof cell == "number" ? cell : null);
}
function median(values) {
	let sorted = [...values].sort((a, b) => a - b), half2 = sorted.length >> 1;
	return sorted.length % 2 ? sorted[half2] : (sorted[half2 - 1] + sorted[half2]) / 2;
}
function growthOf(data, slope) {
	let [least, most, begin] = ["lowest_bytes", "peak_bytes", "begin_bytes"].map(
		(name) => numbers4(data, name)
	), known3 = least.flatMap((value, row) => value === null || most[row] == null ? [] : [row]);
	if (known3.length < 2) return null;
	let names = (data.columns.step ?? []).map(
		(cell, row) => cell === null || cell === "" ? `${row}` : String(cell)
	), whole4 = known3.filter((row) => data.columns.whole?.[row] !== !1), rows = whole4.length ? whole4 : known3, offset = slope && slope > 0 ? median(rows.map((row) => least[row] - slope * row)) : 0;
	return {
		names,
		least,
		most,
		begin,
		starts: numbers4(data, "start_ms"),
		lengths: numbers4(data, "duration_ms"),
		trend: slope && slope > 0 ? names.map((_, row) => offset + slope * row) : null
	};
}
function shortNames(names) {
	let numbers5 = names.map((name) => /(\d+)$/.exec(name)?.[1] ?? "");
	return new Set(names.map((name, row) => name.slice(0, name.length - numbers5[row].length))).size === 1 && numbers5.every(Boolean) ? numbers5 : [...names];
}

// src/views/growth_view.tsx
var KEYS6 = [
	["← → Home End", "in memory by step: previous, next, first, last step", ".growth"],
	["Enter", "in memory by step: show the step in the trace", ".growth"]
], HEIGHT_PX4 = 128, UNIT2 = "memory", AXIS3 = { gap: 4, font: "11px system-ui, sans-serif", ticks: { show: !1 } }, PS_PER_MS4 = 1e9;
function rangeOf4(_plot, low, high) {
	let [from, to] = [low ?? 0, high ?? 1], room = Math.max((to - from) * 0.1, to * 0.01, 1);
	return [from - room < 0 || from < 0.2 * to ? 0 : from - room, to + room];
}
function optionsOf3(growth, width, isLeak, hover) {
	let line = (variable, more = {}) => ({
		scale: "bytes",
		stroke: () => colour(variable),
		width: 1.5,
		points: { show: growth.names.length < 40, size: 5 },
		...more
	}), short = shortNames(growth.names);
	return {
		width,
		height: HEIGHT_PX4,
		padding: [8, 12, 0, 0],
		legend: { show: !1 },
		scales: { x: { time: !1 }, bytes: { range: rangeOf4 } },
		axes: [
			{
				...AXIS3,
				size: 20,
				incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1e3, 2e3, 5e3, 1e4, 1e5, 1e6],
				stroke: () => colour("--soft"),
				grid: { show: !1 },
				values: (_plot, ticks) => ticks.map((tick) => (short[tick] ?? "").slice(0, 12))
			},
			{
				...AXIS3,
				size: 66,
				scale: "bytes",
				space: 24,
				incrs: INCREMENTS,
				stroke: () => colour("--soft"),
				grid: { stroke: () => colour("--sunken"), width: 1 },
				values: (_plot, ticks) => ticks.map((tick) => tickText(tick, UNIT2))
			}
		],
		series: [
			{},
			line("--memory-heap"),
			line("--host"),
			line(isLeak ? "--input" : "--soft", { dash: [6, 4], width: 2, points: { show: !1 } })
		],
		bands: [{ series: [1, 2], fill: () => mixed(colour("--memory-heap"), colour("--panel"), 0.35) }],
		cursor: { y: !1, points: { show: !1 }, drag: { x: !1, y: !1, setScale: !1 } },
		hooks: { setCursor: [(plot) => hover((plot.cursor.left ?? -1) < 0 ? null : plot.cursor.idx ?? null)] }
	};
}
var FLAT = 1e-3;
function isFlat({ names, most }, slope) {
	let peak = most.reduce((high, one) => Math.max(high, one ?? 0), 0);
	return Math.abs(slope) * names.length <= FLAT * peak;
}
function GrowthChart(props) {
	let growth = useMemo(() => growthOf(props.data, props.slope), [props.data, props.slope]);
	return growth ? jsx(Drawn3, { ...props, growth }) : null;
}
function Drawn3({ title, spec, csv, json, slope, sure, open, growth }) {
	let [row, setRow] = useState(null), isLeak = growth.trend !== null && sure !== "none" && sure !== "", { box, plot } = usePlot(() => {
		let { names, least, most, trend } = growth;
		return {
			options: (width) => optionsOf3(growth, width, isLeak, setRow),
			points: [[...names.keys()], most, least, isLeak ? trend : names.map(() => null)]
		};
	}, [growth, isLeak]), grows = slope === null ? "" : `${slope > 0 ? "+" : ""}${formatNumber(Math.round(slope), UNIT2)} per step`, words4 = [
		`${title}: ${counted(growth.names.length, "step")}.`,
		isLeak ? `Memory grows by ${grows}: a leak (${sure}).` : "No leak."
	].join(" "), said4 = row === null ? null : `step ${growth.names[row]}: ${formatValue(growth.least[row], UNIT2)} to ${formatValue(growth.most[row], UNIT2)}`, go2 = () => {
		let [start, length2] = row === null ? [null, null] : [growth.starts[row], growth.lengths[row]];
		start == null || length2 == null || open(Math.floor(start * PS_PER_MS4), Math.ceil((start + length2) * PS_PER_MS4));
	}, onKeyDown2 = (event) => {
		if (event.ctrlKey || event.metaKey || event.altKey) return;
		let next2 = moved(event.key, row, growth.names.length);
		if (next2 !== null)
			plot.current?.setCursor({ left: plot.current.valToPos(next2, "x"), top: 0 }, !1), setRow(next2);
		else if (event.key === "Enter") go2();
		else return;
		event.preventDefault();
	};
	return jsxs("div", { class: "growth", children: [
		jsxs("div", { class: "table-bar", children: [
			jsx("h2", { title: spec.help, children: title }),
			isLeak ? jsxs("span", { class: "leak", title: `Confidence: ${sure}`, children: [
				"leak: ",
				grows
			] }) : grows && jsx("span", { class: "soft", children: isFlat(growth, slope) ? "no growth" : `${grows}, no leak` }),
			jsx("span", { class: "grow soft growth-said", children: said4 }),
			jsx(Links, { csv, json })
		] }),
		jsx(
			"div",
			{
				ref: box,
				class: "growth-plot opens",
				tabIndex: 0,
				role: "slider",
				"aria-label": title,
				"aria-description": words4,
				"aria-valuemin": 0,
				"aria-valuemax": growth.names.length - 1,
				"aria-valuenow": row ?? 0,
				"aria-valuetext": said4 ?? words4,
				title: "Click to show this step in the trace",
				onClick: go2,
				onKeyDown: onKeyDown2
			}
		),
		jsxs("p", { class: "legend", children: [
			jsxs("span", { children: [
				jsx("i", { style: { background: "var(--memory-heap)" } }),
				"highest"
			] }),
			jsxs("span", { children: [
				jsx("i", { style: { background: "var(--host)" } }),
				"lowest"
			] }),
			isLeak && jsxs("span", { children: [
				jsx("i", { class: "dash leaks" }),
				"growth"
			] })
		] })
	] });
}

// src/views/memory_timeline.tsx
function useWhole({ answer, page }, shown3) {
	let key = `${answer.run} ${answer.hosts.join()} ${String(answer.summary.memory)}`, whole4 = useRef(null), isPart = page.selection.params.start_ms !== void 0 || page.selection.params.end_ms !== void 0;
	return useEffect(() => {
		isPart || (whole4.current = { key, window: shown3 });
	}), isPart ? whole4.current?.key === key ? whole4.current.window : null : shown3;
}
function MemoryTimeline(part) {
	let { answer, page, spec, data } = part, { summary: summary3 } = answer, { params } = page.selection, shown3 = [number(summary3.begin_ms) ?? 0, number(summary3.end_ms) ?? 0], whole4 = useWhole(part, shown3), steps = useMemo(() => {
		let { step = [], start_ms = [] } = answer.tables.steps?.columns ?? {};
		return step.flatMap(
			(name, row) => typeof start_ms[row] == "number" ? [{ start_ms: start_ms[row], name: String(name) }] : []
		);
	}, [answer]), [at, bytes2] = [number(summary3.peak_ms), number(summary3.peak_bytes)], peak = useMemo(
		() => at === null || bytes2 === null ? null : { at_ms: at, bytes: bytes2, words: `peak ${formatNumber(bytes2, "memory")}` },
		[at, bytes2]
	), setWindow = (window3) => {
		let { start_ms: _start, end_ms: _end, ...rest } = params, cut = window3 && { start_ms: window3[0].toFixed(6), end_ms: window3[1].toFixed(6) };
		page.navigate({ params: { ...rest, ...cut } });
	};
	return jsx(Panel, { title: spec.title, bare: !0, children: jsx(
		AreaChart,
		{
			title: spec.title,
			spec,
			data,
			...addresses(page, "timeline"),
			window: shown3,
			all: whole4,
			peak,
			steps,
			free: params.free ?? "",
			setFree: (free) => page.navigate({ params: { ...params, free } }, "replace"),
			setWindow,
			open: (...stretch3) => page.navigate(memoryInTrace(answer, ...stretch3))
		}
	) });
}

// src/views/refused.tsx
function isRefused({ error, waiting }, page) {
	return !waiting && error?.kind === "bad_argument" && Object.keys(given(page)).length > 0;
}
function Refused({ asked: asked3, page }) {
	let names = Object.keys(given(page)), reset = () => {
		let rest = Object.entries(page.selection.params).filter(([name]) => !names.includes(name) && name !== "at");
		page.navigate({ params: Object.fromEntries(rest) });
	};
	return jsxs(Panel, { title: "", class: "refused", children: [
		jsx("p", { role: "alert", children: asked3.error.message }),
		jsx("button", { type: "button", title: `Without ${names.join(", ")}`, onClick: reset, children: "Reset" })
	] });
}

// src/views/select.tsx
function Select({ name, help, value, offers, choose }) {
	return jsxs("label", { class: "select", title: help, children: [
		name,
		" ",
		jsxs("select", { value, onChange: (event) => choose(event.currentTarget.value), children: [
			!offers.some(([offer]) => offer === value) && jsx("option", { value, children: value }),
			offers.map(([offer, words4]) => jsx("option", { value: offer, children: words4 }, offer))
		] })
	] });
}

// src/tools/memory_profile.tsx
var keys2 = [...KEYS4, ...KEYS6, ...KEYS5], FIGURES3 = [
	group("In use", {
		in_use_bytes: "{}",
		in_use_count: "{} buffers and programs"
	}),
	group("Peak", {
		peak_bytes: "{} in use",
		peak_share: "{} of capacity",
		peak_ms: "at {}",
		peak_step: "in step {}",
		stack_bytes: "stack {}",
		heap_bytes: "heap {}",
		free_bytes: "free {}",
		fragmentation_share: "fragmentation {}"
	}),
	group("Memory", {
		capacity_bytes: "capacity {}",
		lifetime_peak_bytes: "peak {} since the program started"
	}),
	group("Capture", {
		allocations: "{} allocations",
		deallocations: "{} deallocations",
		step_allocated_bytes: "{} allocated per step"
	})
];
function tableOf({ answer, page }, name) {
	let spec = page.tool.tables.find((one) => one.name === name), data = answer.tables[name];
	return spec && data && rowCount(data) ? { spec, data } : null;
}
function SystemPicker(part) {
	let { answer, page } = part, { columns } = answer.tables.systems ?? { columns: {} }, names = columns.memory ?? [];
	if (names.length < 2) return null;
	let offers = names.map((name, row) => {
		let [peak, share, kind] = ["peak_bytes", "peak_share", "kind"].map((column) => columns[column]?.[row]), said4 = [
			String(name),
			kind ? String(kind) : "",
			typeof peak == "number" ? `peak ${formatNumber(peak, "memory")}` : "",
			typeof share == "number" ? percent(share) : ""
		];
		return [String(name), said4.filter(Boolean).join(", ")];
	}), choose = (memory2) => {
		let { start_ms: _start, end_ms: _end, at: _at, ...rest } = page.selection.params;
		page.navigate({ params: { ...rest, memory: memory2 } });
	};
	return jsx(
		Select,
		{
			name: "memory",
			help: `Memory system. ${String(answer.summary.memory_rule ?? "")}`,
			value: String(answer.summary.memory ?? ""),
			offers,
			choose
		}
	);
}
function Sum({ answer, data }) {
	let sum = (data.columns.total_bytes ?? []).reduce((all, one) => all + (number(one) ?? 0), 0), peak = number(answer.summary.peak_bytes), [total2, whole4] = [formatNumber(sum, "memory"), peak === null ? "" : formatNumber(peak, "memory")];
	return jsx("span", { class: "soft sum", title: `${exactValue(sum, "memory")} of ${exactValue(peak, "memory")}`, children: sum === peak ? `total ${total2}, the peak` : `total ${total2} of the peak of ${whole4}` });
}
var PEAK_ROOM = 0.01;
function PeakInTrace({ answer, page }) {
	let [at, begin, end] = ["peak_ms", "begin_ms", "end_ms"].map((name) => number(answer.summary[name]));
	if (at == null) return null;
	let [ps2, room] = [Math.round(at * PS_PER_MS5), ((end ?? at) - (begin ?? at)) * PEAK_ROOM * PS_PER_MS5], way = memoryInTrace(answer, ps2, ps2, Math.ceil(Math.max(room, 1e6)));
	return jsx("button", { type: "button", class: "link", title: "The trace at the time of the peak", onClick: () => page.navigate(way), children: "peak in trace ▸" });
}
function Growth(part) {
	let { answer, page } = part, found = tableOf(part, "steps");
	return !found || rowCount(found.data) < 2 ? null : jsx(Panel, { title: "Lowest and highest use by step", bare: !0, children: jsx(
		GrowthChart,
		{
			title: "Lowest and highest use by step",
			...found,
			...addresses(page, "steps"),
			slope: number(answer.summary.growth_bytes),
			sure: String(answer.summary.growth_confidence ?? ""),
			open: (...stretch3) => page.navigate(memoryInTrace(answer, ...stretch3))
		}
	) });
}
var LIFETIMES = {
	kind: "bars",
	title: "",
	table: "lifetimes",
	label: "lifetime",
	values: ["total_bytes"],
	show: []
};
function Lifetimes(part) {
	let found = tableOf(part, "lifetimes");
	return found ? jsx(Panel, { title: found.spec.title, help: found.spec.help, class: "lifetimes", children: jsx(Bars, { view: LIFETIMES, ...found }) }) : null;
}
function Stacks(part) {
	let { page } = part, found = tableOf(part, "stacks");
	if (!found) return null;
	let { params } = page.selection, at = /^\d{1,9}$/.test(params.at ?? "") ? Number(params.at) : null;
	return jsx(Panel, { title: found.spec.title, bare: !0, children: jsx(
		FlameGraph,
		{
			title: found.spec.title,
			...found,
			...addresses(page, "stacks"),
			value: "bytes",
			self: "self_bytes",
			state: { at, find: params.find ?? "" },
			setState: ({ at: frame, find: find2 }) => page.navigate({ params: { ...params, at: frame === null ? "" : String(frame), find: find2 } }, "replace")
		}
	) });
}
var PEAK = [
	"op",
	"total_bytes",
	"share",
	"count",
	"allocation_bytes",
	"requested_bytes",
	"region",
	"data_type",
	"shape",
	"kind"
], OPS2 = [
	"op",
	"peak_bytes",
	"allocated_bytes",
	"allocations",
	"live_bytes",
	"mean_lifetime_us"
], HOLDERS = ["op", "live_bytes", "live_allocations"], STEPS2 = [
	"step",
	"lowest_bytes",
	"peak_bytes",
	"net_bytes",
	"allocated_bytes",
	"freed_bytes",
	"kept_bytes"
], SYSTEMS = [
	"memory",
	"kind",
	"peak_bytes",
	"peak_share",
	"capacity_bytes",
	"heap_bytes",
	"stack_bytes",
	"fragmentation_share",
	"allocations",
	"growth_bytes"
], STACKS = [
	"name",
	"self_bytes",
	"bytes",
	"share",
	"count",
	"file",
	"line"
], PS_PER_MS5 = 1e9, NAME_PX = 160, MARGIN_PX = 150;
function waysOf2({ answer, page }) {
	let { navigate, selection } = page, text3 = (data, name, row) => String(data.columns[name]?.[row] ?? "");
	return {
		op: {
			find: {
				what: "Find in trace ▸",
				/** What was there before, or what the runtime reserved, is no op. */
				can: (row, data) => (data.columns.kind?.[row] ?? "op") === "op",
				open: (row, data) => navigate(eventsInTrace(text3(data, "op", row)))
			}
		},
		step: {
			find: {
				what: "Show in trace ▸",
				open: (row, data) => {
					let [start, length2] = ["start_ms", "duration_ms"].map(
						(name) => number(data.columns[name]?.[row])
					);
					start == null || length2 == null || navigate(memoryInTrace(answer, Math.floor(start * PS_PER_MS5), Math.ceil((start + length2) * PS_PER_MS5)));
				}
			}
		},
		system: {
			what: "Show this memory",
			open: (row, data) => navigate({ params: { ...selection.params, start_ms: "", end_ms: "", memory: text3(data, "memory", row) } })
		},
		holder: {
			what: "Find in flame graph",
			open: (row, data) => navigate(
				{ params: { ...selection.params, at: "", find: text3(data, "op", row).replace(/ \(.*$/, "") } },
				"replace"
			)
		},
		frame: {
			what: "Show in flame graph",
			open: (row) => navigate({ params: { ...selection.params, at: String(row) } }, "replace")
		}
	};
}
function OfStacks(part) {
	let ways = waysOf2(part);
	return jsxs(Fragment2, { children: [
		jsx(Stacks, { ...part }),
		jsxs("div", { class: "columns", children: [
			jsx(TablePart, { ...part, table: "ops", show: HOLDERS, class: "tall", ...ways.holder }),
			jsx(
				TablePart,
				{
					...part,
					table: "stacks",
					show: STACKS,
					sort: { column: "self_bytes", down: !0 },
					class: "tall",
					...ways.frame
				}
			)
		] })
	] });
}
function OfEvents(part) {
	let { answer, timeline } = part, peak = tableOf(part, "peak"), ways = waysOf2(part);
	return jsxs(Fragment2, { children: [
		jsx(MemoryTimeline, { ...part, ...timeline }),
		jsx(
			TablePart,
			{
				...part,
				table: "peak",
				show: PEAK,
				more: peak && jsx(Sum, { answer, data: peak.data }),
				class: "tall",
				...ways.op
			}
		),
		jsxs("div", { class: "columns", children: [
			jsxs("div", { class: "stack", children: [
				jsx(TablePart, { ...part, table: "ops", show: OPS2, room: NAME_PX, class: "tall", ...ways.op }),
				jsx(Lifetimes, { ...part })
			] }),
			jsxs("div", { class: "stack", children: [
				jsx(MoreFindings, { ...part }),
				jsx(Growth, { ...part }),
				jsx(TablePart, { ...part, table: "steps", show: STEPS2, room: NAME_PX, class: "tall", ...ways.step })
			] })
		] })
	] });
}
function Report3(part) {
	let { answer, page } = part, timeline = tableOf(part, "timeline"), systems = tableOf(part, "systems");
	return jsxs(Fragment2, { children: [
		jsx(Conclusion, { ...part, children: jsxs("div", { class: "figure-line", children: [
			jsx(SystemPicker, { ...part }),
			jsx(Figures, { answer, page, groups: FIGURES3 }),
			jsx(PeakInTrace, { ...part }),
			jsx(AllFigures, { answer, columns: page.tool.summary })
		] }) }),
		tableOf(part, "stacks") && jsx(OfStacks, { ...part }),
		timeline && jsx(OfEvents, { ...part, timeline }),
		systems && rowCount(systems.data) > 1 && jsx(TablePart, { ...part, table: "systems", show: SYSTEMS, class: "tall", ...waysOf2(part).system })
	] });
}
function MemoryProfile(given_) {
	let tool = useMemo(() => inBinary(given_.tool), [given_.tool]), page = { ...given_, tool }, pixels2 = useMemo(() => String(Math.max(1e3, Math.ceil((window.innerWidth - MARGIN_PX) / 100) * 100)), []), asked3 = useAnswer(page.api, { pixels: pixels2, ...given(page) });
	return jsx("div", { class: "page", children: isRefused(asked3, page) ? jsx(Refused, { asked: asked3, page }) : jsx(Shown, { asked: asked3, children: (answer) => jsx(Report3, { answer, page }) }) });
}

// src/tools/op_stats.tsx
var op_stats_exports = {};
__export(op_stats_exports, {
	default: () => OpStats,
	keys: () => keys3
});
var keys3 = KEYS3, SIDES = ["device", "host"], FIGURES4 = [
	group("Devices", {
		device_self_ms: "busy {}",
		device_idle_share: "idle {} ({device_idle_ms})",
		device_op_rows: "{} ops"
	}),
	group("Hosts", {
		host_self_ms: "op time {} on all threads",
		host_no_op_ms: "no op for {}",
		host_op_rows: "{} ops"
	})
], TIMES = {
	device: ["device_self_ms", "device_idle_ms"],
	host: ["host_self_ms", "host_no_op_ms"]
};
function ofSide({ columns }, side) {
	let { side: sides = [], name = [], self_us = [], self_share = [] } = columns, rows = sides.flatMap((one, row) => one === side && self_share[row] !== null ? [row] : []);
	return { names: rows.map((row) => name[row] ?? null), values: rows.map((row) => self_us[row] ?? null) };
}
function usePick({ answer, page }, side, column) {
	let { params } = page.selection, state = tableState(params, "ops"), bothSides = new Set(answer.tables.ops?.columns.side).size > 1, filterFor = (name) => onlyWith(column, name) + (bothSides ? ` side=${side}` : "");
	return { pick: (name) => {
		let filter = filterFor(name), next2 = { ...state, filter: state.filter === filter ? "" : filter };
		page.navigate({ params: { ...withTableState(params, "ops", next2), group: "" } }, "replace");
	}, isPicked: (name) => state.filter === filterFor(name) };
}
function wholeOf2({ answer: { summary: summary3 }, page }, side) {
	let [busy, idle] = TIMES[side].map((name) => Number(summary3[name] ?? 0) * 1e3);
	return page.selection.params.idle === "true" ? busy + idle : busy;
}
function OpPie({ side, ...part }) {
	let { answer } = part, data = answer.tables.ops, slices = useMemo(() => data && ofSide(data, side), [data, side]), { pick, isPicked } = usePick(part, side, "name");
	return slices?.names.length ? jsx(
		Pie,
		{
			title: `${side === "device" ? "Devices" : "Hosts"}: self time by op`,
			...slices,
			pick,
			isPicked,
			whole: wholeOf2(part, side),
			count: Number(answer.summary[`${side}_op_rows`] ?? 0),
			unit: "us",
			what: "filter the table by this op"
		}
	) : null;
}
var LARGEST = 5;
function repeatsOps({ tables }, side) {
	let { type = [], [`${side}_self_us`]: times = [] } = tables.types?.columns ?? {}, { names, values } = ofSide(tables.ops ?? { columns: {} }, side), largest = times.map((time2, row) => ({ time: Number(time2 ?? 0), name: type[row] })).filter(({ time: time2 }) => time2 > 0).sort((a, b) => b.time - a.time).slice(0, LARGEST), isOp = ({ time: time2, name }) => {
		let own = values[names.indexOf(name ?? null)];
		return typeof own == "number" && Math.abs(own - time2) <= 0.01 * time2;
	};
	return largest.filter(isOp).length >= Math.min(largest.length, LARGEST - 1);
}
function TypePie({ side, ...part }) {
	let columns = part.answer.tables.types?.columns, { pick, isPicked } = usePick(part, side, "type"), values = columns?.[`${side}_self_us`], isAgain = useMemo(() => repeatsOps(part.answer, side), [part.answer, side]);
	return !columns || isAgain || !values?.some((value) => value !== null) ? null : jsx(
		Pie,
		{
			title: `${side === "device" ? "Devices" : "Hosts"}: by op type`,
			names: columns.type ?? [],
			values,
			pick,
			isPicked,
			whole: wholeOf2(part, side),
			unit: "us",
			what: "filter the table by this type"
		}
	);
}
var GROUPS = [
	["op", "op", "One row per op, hosts summed"],
	["type", "type", "One row per op type"],
	["scope", "name scope", "Tree of name scopes"],
	["host", "host", "One row per op and host"]
], TORCH_GROUPS = [
	["op", "operator", "One row per operator, as in PyTorch's key_averages()"],
	["shape", "input shape", "One row per operator and input shapes (record_shapes=True)"],
	["stack", "stack", "One row per operator and Python stack (with_stack=True)"],
	["module", "module", "One row per operator and module (with_stack=True)"],
	["scope", "module tree", "Tree of modules, forward and backward (with_stack=True)"],
	["host", "host", "One row per operator and host"]
], ASKED = ["host", "shape", "stack", "module"], PARTS2 = [
	["shape", "Show shapes ▸"],
	["stack", "Show stacks ▸"],
	["module", "Show modules ▸"]
];
function isTorch({ tables }) {
	return (tables.types?.columns.type ?? []).some((type) => /^[a-z]\w*::/.test(String(type)));
}
function groupOf(answer, { selection: { params } }) {
	let { by = "", group: group2 } = params;
	return group2 || (by === "host" || isTorch(answer) && ASKED.includes(by) ? by : "op");
}
function asking(value) {
	let by = ASKED.includes(value) ? value : "";
	return { by, group: by || value === "op" ? "" : value };
}
function Choices2({ answer, page }) {
	let { params } = page.selection, set = (change) => page.navigate({ params: { ...params, ...change } }, "replace"), offered = (isTorch(answer) ? TORCH_GROUPS : GROUPS).filter(([value]) => value !== "host" || answer.hosts.length > 1 || params.by === "host"), isTwoSided = SIDES.every((side) => answer.summary[`${side}_op_rows`] !== 0);
	return jsxs("div", { class: "choices", children: [
		jsx(Switch, { label: "Group by", values: offered, value: groupOf(answer, page), choose: (value) => set(asking(value)) }),
		(isTwoSided || params.side) && jsx(
			Switch,
			{
				label: "Side",
				values: [
					["", "both"],
					["device", "devices"],
					["host", "hosts"]
				],
				value: params.side === "all" ? "" : params.side ?? "",
				choose: (side) => set({ side })
			}
		),
		jsxs("label", { title: "Adds a row for idle time; shares are then of all time", children: [
			jsx(
				"input",
				{
					type: "checkbox",
					checked: params.idle === "true",
					onChange: (event) => set({ idle: event.currentTarget.checked ? "true" : "" })
				}
			),
			" ",
			"with idle time"
		] })
	] });
}
var KEPT_IF_ZERO = ["self_us", "tensor_core_share"], NAME_PX2 = 400, OTHERS_PX = 640, LINES = 6;
function telling2({ columns }, names) {
	return names.filter((name) => {
		let cells = columns[name] ?? [];
		return name === "side" ? cells.some((cell) => cell !== cells[0]) : KEPT_IF_ZERO.includes(name) || !cells.every((cell) => cell === 0 || cell === null);
	});
}
var OPS3 = [
	"side",
	"host",
	"name",
	"type",
	"self_us",
	"self_share",
	"cumulative_share",
	"wait_share",
	"occurrences",
	"self_average_us",
	"total_us",
	"bound_by",
	"roof_share",
	"gflop_s",
	"gb_s",
	"tensor_core_share",
	"eager_share"
], TYPES = [
	"type",
	...["device", "host"].flatMap(
		(side) => [`${side}_self_us`, `${side}_self_share`, `${side}_occurrences`]
	)
], SCOPES = [
	"side",
	"calls",
	"forward_us",
	"backward_us",
	"self_us",
	"self_share",
	"occurrences",
	"ops",
	"total_us"
];
function Table2(part) {
	let { answer, page } = part, { params } = page.selection, above = jsx(Choices2, { ...part }), isLong = ["shape", "stack"].includes(groupOf(answer, page)), [ops, types, scopes] = useMemo(() => {
		let shown3 = (table, names) => telling2(answer.tables[table] ?? { columns: {} }, names), ops2 = isTorch(answer) ? [...OPS3.filter((name) => name !== "type"), ...isLong ? [] : ["type"]] : OPS3;
		return [shown3("ops", ops2), shown3("types", TYPES), shown3("scopes", SCOPES)];
	}, [answer, isLong]), showOps = (filter, by = "") => {
		let next2 = { ...tableState(params, "ops"), filter };
		page.navigate({ params: { ...withTableState(params, "ops", next2), group: "", by } });
	}, text3 = (data, column, row) => String(data.columns[column]?.[row] ?? ""), group2 = groupOf(answer, page), torch = isTorch(answer);
	if (group2 === "type")
		return jsx(
			TablePart,
			{
				...part,
				table: "types",
				keepZeros: !0,
				show: types,
				above,
				class: "main-table",
				what: "Show ops",
				open: (row, data) => showOps(onlyWith("type", text3(data, "type", row)))
			}
		);
	if (group2 === "scope")
		return jsx(
			TablePart,
			{
				...part,
				table: "scopes",
				...torch ? { title: "Modules" } : {},
				keepZeros: !0,
				tree: "name",
				show: scopes,
				above,
				class: "main-table",
				what: "Show ops",
				open: (row, data) => showOps(`"${text3(data, "scope", row).slice(0, 300).split('"')[0]}"`, torch ? "module" : "")
			}
		);
	let kernels = {
		what: "Show kernels ▸",
		can: (row, { columns }) => columns.side?.[row] === "device" && !!columns.kernels?.[row],
		open: (row, data) => {
			let filter = torch && group2 !== "module" ? `"${text3(data, "type", row)}"` : onlyWith("op_name", text3(data, "name", row));
			page.navigate({ tool: "kernel_stats", params: { "kernels.filter": filter } });
		}
	}, parts2 = PARTS2.map(([by, what]) => ({
		what,
		open: (row, data) => {
			let [name, type] = [text3(data, "name", row), text3(data, "type", row)];
			showOps(name === type ? onlyWith("type", type) : `"${name.slice(0, 300).split('"')[0]}"`, by);
		}
	})), also = torch && group2 === "op" ? [kernels, ...parts2] : [kernels], room = isLong ? Math.max(NAME_PX2, window.innerWidth - OTHERS_PX) : NAME_PX2;
	return jsx(
		TablePart,
		{
			...part,
			keepZeros: !0,
			also,
			above,
			room,
			lines: isLong ? LINES : 1,
			table: "ops",
			show: ops,
			class: "main-table"
		}
	);
}
function Report4(part) {
	let { answer, page } = part, isEmpty2 = !Object.keys(given(page)).length && !rowsOf(answer, "types");
	return jsxs(Fragment2, { children: [
		jsx(ShortConclusion, { ...part, groups: FIGURES4 }),
		jsx(Panel, { title: "", class: "pies", children: SIDES.flatMap((side) => [
			jsx(OpPie, { side, ...part }, `${side} op`),
			jsx(TypePie, { side, ...part }, `${side} type`)
		]) }),
		!isEmpty2 && jsx(Table2, { ...part })
	] });
}
function OpStats(page) {
	let asked3 = useAnswer(page.api, given(page));
	return jsx("div", { class: "page fits", children: jsx(Shown, { asked: asked3, children: (answer) => jsx(Report4, { answer, page }) }) });
}

// src/tools/overview.tsx
var overview_exports = {};
__export(overview_exports, {
	default: () => overview_default,
	keys: () => keys4
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
		hidden: number3("overlapped_ms", row),
		help: String(columns.help?.[row] ?? "")
	}));
}
function stepFor(column, steps, of) {
	let values = (steps?.columns[column] ?? []).map(Number), cell = (name, row2) => steps.columns[name]?.[row2], isOf = (row2) => of === "all" || !cell("cut", row2) && cell("pace", row2) === "slow" == (of === "slow"), rows = [...values.keys()].filter(isOf);
	if (!steps || !rows.length) return null;
	let row = rows.reduce((best, i) => values[i] > values[best] ? i : best), cells = (name) => (steps.columns[name] ?? []).map((cell2) => cell2 === null ? null : Number(cell2)), stretch3 = stretchOf({ starts: cells("start_ms"), lengths: cells("duration_ms") }, row);
	return stretch3 && { data: steps, row, name: String(steps.columns.name?.[row] ?? ""), stretch: stretch3 };
}
var LETTER_PX4 = 6.8, PADDING_PX3 = 16, WORTH_HIDING = ["collective", "copy", "input"], LEAST_HIDDEN = 0.01;
function fitting(texts3, px) {
	return texts3.find((text3) => text3.length * LETTER_PX4 + PADDING_PX3 <= px) ?? "";
}
function useWidth() {
	let box = useRef(null), [width, setWidth] = useState(0);
	return useEffect(() => {
		let sizes = new ResizeObserver(() => setWidth(box.current?.clientWidth ?? 0));
		return box.current && sizes.observe(box.current), () => sizes.disconnect();
	}, []), { box, width };
}
function Segment({ part, text: text3, steps, of, open }) {
	let { key, title, ms, share, hidden, help } = part, column = `${key}_ms`, step = stepFor(column, steps, of), variable = categoryOf(key), said4 = [
		`${title}: ${exactValue(ms, "ms")} per step, ${percent(share)}`,
		help,
		hidden > 0 ? `Another ${formatNumber(hidden, "ms")} overlaps with other parts.` : "",
		step ? `Click to show ${step.name}, which has most of it, in the trace.` : ""
	].filter(Boolean);
	return jsx(
		"button",
		{
			type: "button",
			"aria-label": said4[0],
			title: said4.join(`
`),
			style: { flexGrow: share, background: `var(${variable})`, color: `var(${variable}-text)` },
			onClick: () => step && open({ ...step, column }, step.stretch),
			children: text3
		}
	);
}
function SplitBar({ answer, open, of }) {
	let { box, width } = useWidth(), all = partsOf(answer.tables.split ?? { columns: {} }), shown3 = all.filter(({ ms }) => ms > 0).sort((a, b) => b.ms - a.ms);
	if (!shown3.length) return null;
	let texts3 = new Map(
		shown3.map((part) => {
			let ms = formatNumber(part.ms, "ms"), full = `${part.title} ${ms}`;
			return [part, fitting([`${full} · ${percent(part.share)}`, full, ms], part.share * width)];
		})
	), unsaid = shown3.filter((part) => !texts3.get(part).startsWith(part.title)), step = shown3.reduce((sum, { ms }) => sum + ms, 0), hidden = all.filter((part) => WORTH_HIDING.includes(part.group) && part.hidden > LEAST_HIDDEN * step), none = all.filter(({ ms, hidden: also }) => ms <= 0 && also <= 0), names = namesOfNone(
		none.map(({ key, title }) => [key, title]),
		shown3.map(({ key }) => key)
	);
	return jsxs("div", { class: "split", children: [
		jsx("div", { class: "split-bar", ref: box, role: "group", "aria-label": "Where a step's time goes", children: shown3.map((part) => jsx(Segment, { part, of, open, text: texts3.get(part), steps: answer.tables.steps }, part.key)) }),
		jsxs("p", { class: "legend", children: [
			unsaid.map((part) => jsxs("span", { title: part.help, children: [
				jsx("i", { style: { background: `var(${categoryOf(part.key)})` } }),
				part.title,
				" ",
				formatNumber(part.ms, "ms")
			] }, part.key)),
			hidden.map((part) => jsxs("span", { title: `${part.help}
It overlaps with another part of the step.`, children: [
				jsx("i", { class: "hatched", style: { "--of": `var(${categoryOf(part.key)})` } }),
				"+ ",
				formatNumber(part.hidden, "ms"),
				" ",
				part.title.toLowerCase(),
				" overlapped"
			] }, `+${part.key}`)),
			names.length > 0 && jsxs("span", { class: "soft none", title: none.map(({ title, help }) => `${title}: ${help}`).join(`
`), children: [
				"+",
				counted(names.length, "zero category")
			] })
		] })
	] });
}

// src/views/split_of.tsx
var OPTION2 = "split_of";
function splitOf({ selection }) {
	return selection.params[OPTION2] ?? "all";
}
function SplitOf({ answer, page }) {
	let { summary: summary3 } = answer, number3 = (name) => Number(summary3[name] ?? 0), slow = number3("slow_step_count"), chosen2 = splitOf(page);
	if (!slow && chosen2 === "all") return null;
	let all = number3("step_count") - number3("steps_not_counted"), choose = (value) => page.navigate({ params: { ...page.selection.params, [OPTION2]: value === "all" ? "" : value } });
	return jsxs("div", { class: "split-of", children: [
		jsx(
			Switch,
			{
				label: "Steps",
				values: [
					["all", `all ${grouped(all)}`, "Mean of all counted steps"],
					["typical", `${grouped(all - slow)} typical`, "Without the slow steps"],
					["slow", `${grouped(slow)} slow`, "Only the slow steps"]
				],
				value: chosen2,
				choose
			}
		),
		jsxs("span", { class: "soft", children: [
			"mean of ",
			String(summary3.split_steps ?? "")
		] })
	] });
}

// src/tools/overview.tsx
var keys4 = [...KEYS2, ...KEYS];
function Link({ tool, page, children }) {
	return jsx("button", { type: "button", class: "link", onClick: () => page.navigate({ tool }), children });
}
var TEXT_SHARE = 0.07;
function Segment2({ share, variable, text: text3, title }) {
	if (share <= 0) return null;
	let style = { width: `${100 * share}%`, background: `var(${variable})`, color: `var(${variable}-text)` };
	return jsx("b", { style, title: `${text3}: ${title}`, children: share > TEXT_SHARE && jsx("span", { children: text3 }) });
}
function BusyBar({ answer }) {
	let { summary: summary3 } = answer, idle = number(summary3.device_idle_share), host2 = number(summary3.host_op_share);
	if (idle === null && host2 === null) return null;
	let [busy, variable, name] = idle === null ? [host2, "--host", "host ops"] : [1 - idle, "--device", "devices busy"], busyMs = summary3[idle === null ? "host_op_ms" : "device_busy_ms"], idleMs = idle === null ? null : summary3.device_idle_ms, rest = idle === null ? "no op running" : "idle";
	return jsxs("div", { class: "busy-bar", role: "img", "aria-label": `${name} ${percent(busy)}, ${rest} ${percent(1 - busy)}`, children: [
		jsx(Segment2, { share: busy, variable, text: `${name} ${percent(busy)}`, title: exactValue(busyMs, "ms") }),
		jsx(
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
var NOT = (share) => 1 - share, TPU = group("TPU", {
	duty_cycle_share: "{} duty cycle",
	mxu_utilization_share: { words: "{} of matrix units (MXU)", always: !0 },
	hbm_utilization_share: { words: "{} of memory bandwidth (HBM)", always: !0 },
	matrix_op_share: "{} of op time in matrix ops",
	infeed_mean_share: "infeed {} ({infeed_min_share} – {infeed_max_share} by core)",
	outfeed_share: "outfeed {}",
	step_idle_share: "{} of steps idle"
}), DEVICES = group("Devices", {
	device_idle_share: { words: "{} busy", of: NOT, always: !0 },
	device_wait_share: "waiting {} of op time",
	device_eager_share: "eager {} of op time",
	kernel_count: "{} kernels and copies"
}), USE = group("", {
	flop_utilization_share: "{} of peak FLOP/s",
	bandwidth_utilization_share: "{} of peak memory bandwidth"
}), PRECISION = group("Compute precision", {
	compute_8bit_share: "8-bit {}",
	compute_16bit_share: "16-bit {}",
	compute_tf32_share: "TF32 {}",
	compute_32bit_share: "32-bit {}",
	compute_64bit_share: "64-bit {}",
	compute_other_share: "unknown {}"
}), HOST = group("Host", {
	host_op_share: "op activity {}",
	host_wait_share: "waiting {} of op time",
	host_eager_share: "eager {} of op time"
});
function groupsFor({ summary: summary3 }) {
	return summary3.device_count ? summary3.duty_cycle_share !== null ? [DEVICES, TPU, PRECISION, HOST] : [{ ...DEVICES, figures: [...DEVICES.figures, ...USE.figures] }, PRECISION, HOST] : [HOST];
}
function TopOps({ answer, page, side }) {
	let table = `${side}_ops`, show2 = answer.tables[table]?.columns.wait_share?.some((share) => share !== null) ? ["name", "self_ms", "self_share", "wait_share", "occurrences"] : ["name", "self_ms", "self_share", "occurrences"], more = jsxs(Link, { tool: "op_stats", page, children: [
		"all ",
		side,
		" ops ▸"
	] });
	return jsx(TablePart, { answer, page, table, show: show2, more });
}
function Environment({ answer }) {
	let { key = [], value = [] } = answer.tables.environment?.columns ?? {}, { host_count: hosts, device_count: devices, device_type: type, framework, span_ms, start_ms } = answer.summary, facts = [
		counted(Number(hosts ?? 0), "host"),
		devices ? `${counted(Number(devices), "device")}: ${type}` : type,
		framework,
		typeof span_ms == "number" && `${formatNumber(span_ms, "ms")} captured`,
		typeof start_ms == "number" && formatTime(start_ms)
	].filter(Boolean), words4 = (name) => name.replace(/^[^(]+/, (key2) => key2.replaceAll("_", " ")), all = key.map((name, i) => [words4(formatValue(name, "")), formatValue(value[i], "")]), isEvidence = ([name]) => name.startsWith("framework evidence"), pairs = all.filter((pair) => !isEvidence(pair)), evidence = all.filter(isEvidence).map(([name, text3]) => `${name}: ${text3}`), unknown = answer.unknown.framework;
	return jsxs(Panel, { title: "Environment", class: "environment shrinks", children: [
		jsx("p", { title: unknown ? `Framework unknown: ${unknown}` : evidence.join(`
`), children: facts.join(" · ") }),
		jsx("dl", { class: "pairs", children: pairs.map(([name, text3], i) => jsxs("div", { title: `${name}: ${text3}`, children: [
			jsx("dt", { children: name }),
			jsx("dd", { children: jsx(Name, { text: text3.replaceAll("`", "") }) })
		] }, i)) })
	] });
}
var MANY_DEVICES = 4;
function Tiles({ answer, page }) {
	let { columns } = answer.tables.devices, spec = page.tool.tables.find(({ name }) => name === "devices"), names = columns.device ?? [], hosts = new Set(columns.host).size, isOneEach = hosts === names.length, isKnown = columns.idle_share?.some((share) => share !== null), told = (row) => spec.columns.map((c) => `${label(c)}: ${formatCell(columns[c.name]?.[row], c)}`).join(`
`);
	return jsx(
		Panel,
		{
			title: `${counted(names.length, "device")}, ${isKnown ? "busy share of the capture" : "busy share unknown"}`,
			help: answer.unknown.device_idle_share ?? "",
			class: "tiles shrinks",
			children: jsx("ul", { children: names.map((name, row) => {
				let idle = number(columns.idle_share?.[row]), host2 = columns.host?.[row];
				return jsxs(Fragment, { children: [
					hosts > 1 && !isOneEach && host2 !== columns.host?.[row - 1] && jsx("li", { class: "soft tiles-host", children: host2 }),
					jsxs("li", { title: told(row), children: [
						jsx("span", { class: "share", children: idle !== null && jsx("b", { style: { width: `${100 * (1 - idle)}%`, background: "var(--device)" } }) }),
						jsx(Name, { text: `${hosts > 1 && isOneEach ? `${host2}/` : ""}${name}`.replace("/device:", ""), tail: 6 }),
						jsx("output", { children: idle === null ? "–" : percent(1 - idle) })
					] })
				] }, row);
			}) })
		}
	);
}
function Machines(part) {
	let hosts = rowsOf(part.answer, "hosts"), columns = [
		"device",
		"idle_share",
		"busy_ms",
		"kernels",
		"model",
		"memory_bytes"
	], shown3 = [
		"host",
		"span_ms",
		"op_ms",
		"op_count",
		"threads",
		"devices"
	];
	return jsxs(Fragment2, { children: [
		hosts > 1 || rowsOf(part.answer, "devices") > MANY_DEVICES ? rowsOf(part.answer, "devices") > 0 && jsx(Tiles, { ...part }) : jsx(TablePart, { ...part, table: "devices", show: columns }),
		hosts > 1 && jsx(TablePart, { ...part, table: "hosts", show: shown3, sort: { column: "span_ms", down: !0 } })
	] });
}
var PROGRAMS = [
	"program",
	"occurrences",
	"mean_ms",
	"total_ms",
	"share"
];
function Report5(part) {
	let { answer, page } = part, sides = ["device", "host"].filter((side) => rowsOf(answer, `${side}_ops`) > 0), hasSteps = !!answer.summary.step_count, steps = page.tool.tables.find(({ name }) => name === "steps"), open = steps ? openerOf(page, steps) : stretchOpener(page);
	return jsxs(Fragment2, { children: [
		jsxs(Conclusion, { ...part, children: [
			jsx(StepLine, { ...part }),
			hasSteps && jsx(SplitOf, { ...part }),
			hasSteps ? jsx(SplitBar, { answer, open, of: splitOf(page) }) : jsx(BusyBar, { ...part }),
			jsx(Figures, { answer, page, groups: groupsFor(answer) })
		] }),
		jsxs("div", { class: "columns screen", children: [
			jsxs("div", { class: "stack", children: [
				jsx(StepChart, { ...part, noun: "step", height: 140, quiet: !0, hasLegend: !0, mean: number(answer.summary.step_time_ms) }),
				jsx(LineChart, { ...part }),
				jsx(Machines, { ...part }),
				jsx(Environment, { ...part })
			] }),
			jsxs("div", { class: "stack", children: [
				sides[0] && jsx(TopOps, { ...part, side: sides[0] }),
				jsx(
					TablePart,
					{
						...part,
						table: "programs",
						show: PROGRAMS,
						class: "short",
						find: {
							what: "Find in trace ▸",
							open: (row, { columns }) => page.navigate(searchInTrace(String(columns.program?.[row] ?? "")))
						}
					}
				),
				jsx(MoreFindings, { ...part, shrinks: !0 }),
				sides[1] && jsx(TopOps, { ...part, side: sides[1] })
			] })
		] })
	] });
}
var overview_default = stepsPage(Report5);

// src/tools/pod_viewer.tsx
var pod_viewer_exports = {};
__export(pod_viewer_exports, {
	default: () => pod_viewer_default,
	keys: () => keys5
});

// src/views/workers.ts
function stepsOf({ columns }) {
	let found = /* @__PURE__ */ new Map();
	(columns.step ?? []).forEach((step, row) => {
		let rows2 = found.get(step);
		rows2 ? rows2.push(row) : found.set(step, [row]);
	});
	let rows = [...found.values()], names = columns.name ?? columns.step ?? [];
	return { rows, names: rows.map(([first]) => String(names[first] ?? "")) };
}
function picked({ columns }, rows) {
	let { name: _name, ...rest } = columns;
	return {
		columns: Object.fromEntries(Object.entries(rest).map(([key, cells]) => [key, rows.map((row) => cells[row])]))
	};
}
function skews({ columns }, { rows }) {
	let known3 = (name, of) => of.flatMap((row) => typeof columns[name]?.[row] == "number" ? [columns[name][row]] : []), per = (take) => rows.map(take), extent2 = (of) => known3("work_ms", of).reduce(([low, high], v) => [Math.min(low, v), Math.max(high, v)], [1 / 0, 0]), finite = (value) => Number.isFinite(value) ? value : null, first = (name) => per((of) => columns[name]?.[of[0]] ?? null);
	return {
		columns: {
			step: first("step"),
			name: first("name"),
			cut: first("cut"),
			start_ms: per((of) => finite(Math.min(...known3("start_ms", of)))),
			duration_ms: per((of) => finite(Math.max(...known3("duration_ms", of)))),
			work_ms: per((of) => finite(extent2(of)[0])),
			skew_ms: per((of) => finite(extent2(of)[1] - extent2(of)[0]))
		}
	};
}
function ordered(names, totals, by) {
	let rows = names.map((_, row) => row), collator = new Intl.Collator("en", { numeric: !0 });
	return rows.sort((a, b) => by === "time" ? totals[b] - totals[a] : collator.compare(names[a], names[b]));
}

// src/views/worker_bars.tsx
var ROW_PX4 = 24, MOST_ROWS2 = 16, MARK_CH = 2;
function WorkerBars(props) {
	let { view, spec, data } = props, stacked = useMemo(() => stackedOf({ ...view, label: "worker" }, spec, data), [view, spec, data]);
	return stacked ? jsx(Bars2, { ...props, stacked }) : jsx("p", { class: "soft", children: "No worker has time in this step." });
}
function Bar2({ stacked, row, most, go: go2 }) {
	return jsx("span", { class: "bar", children: stacked.parts.map(
		({ column, variable, values }) => values[row] > 0 ? jsx(
			"b",
			{
				style: { width: `${100 * values[row] / most}%`, background: `var(${variable})` },
				class: stacked.cut[row] ? "cut" : "",
				onClick: (event) => {
					event.stopPropagation(), go2(row, column.name);
				}
			},
			column.name
		) : null
	) });
}
function workOf({ columns }, { totals }) {
	let work = columns.work_ms ?? [];
	return totals.map((total2, row) => typeof work[row] == "number" ? work[row] : total2);
}
function Bars2({ title, data, by, late, open, stacked }) {
	let { names, totals, unit } = stacked, work = useMemo(() => workOf(data, stacked), [stacked]), rows = useMemo(() => ordered(names, work, by), [work, by]), most = totals.reduce((best, total2) => Math.max(best, total2), 0), widest2 = names.reduce((best, name) => Math.max(best, name.length), 0), scroller = useRef(null), virtual = useVirtualRows(scroller, rows.length, ROW_PX4), [text3, setText] = useState(""), chosen2 = useChosen(data, rows, text3, setText, (index) => virtual.scrollToIndex(index)), [hover, setHover] = useState(null), go2 = (row, part = null) => {
		row !== void 0 && open({ data, row, column: part }, stretchOf(stacked, row));
	}, onKeyDown2 = (event) => {
		!chosen2.onKey(event) && event.key === "Enter" && go2(chosen2.at);
	}, looked = hover ?? chosen2.at, at = looked !== void 0 && looked < names.length ? looked : void 0;
	return jsxs("div", { class: "workers", children: [
		jsx(Legend2, { stacked, quiet: !1 }),
		jsxs(
			"ul",
			{
				ref: scroller,
				role: "listbox",
				tabIndex: 0,
				"aria-label": title,
				style: { height: `${ROW_PX4 * Math.min(rows.length, MOST_ROWS2)}px`, "--name": `${widest2 + MARK_CH}ch` },
				onKeyDown: onKeyDown2,
				onMouseLeave: () => setHover(null),
				children: [
					jsx("li", { role: "presentation", style: { height: `${virtual.getTotalSize()}px` } }),
					virtual.getVirtualItems().map(({ index, start }) => {
						let row = rows[index], isLate = late && [names[row], data.columns.host?.[row]].includes(late);
						return jsxs(
							"li",
							{
								role: "option",
								"aria-selected": row === at,
								style: { top: `${start}px` },
								class: open.always || stacked.starts ? "opens" : "",
								onMouseEnter: () => setHover(row),
								onClick: () => go2(row),
								children: [
									jsx(Name, { text: `${isLate ? "▲ " : ""}${names[row]}` }),
									jsx(Bar2, { stacked, row, most, go: go2 }),
									jsx("span", { class: "number", title: "Time excluding exposed communication", children: formatNumber(work[row], unit) }),
									jsx("span", { class: "soft", title: String(data.columns.bottleneck?.[row] ?? ""), children: String(data.columns.bottleneck?.[row] ?? "") })
								]
							},
							row
						);
					})
				]
			}
		),
		at !== void 0 && jsxs("div", { class: "chart-tip", role: "tooltip", children: [
			jsxs("p", { children: [
				jsx("b", { children: names[at] }),
				" ",
				formatNumber(totals[at], unit),
				", ",
				formatNumber(work[at], unit),
				" without communication"
			] }),
			stacked.cut[at] && jsx("p", { class: "cut", children: whyCut(stacked.cut[at]) }),
			jsx(Parts, { stacked, row: at })
		] })
	] });
}

// src/tools/pod_viewer.tsx
var keys5 = [
	["← → Home End", "on the slider: previous, next step, the mean of all, the last"],
	["↑ ↓ Enter", "in the bars: another worker; show its step in the trace"],
	...KEYS2
], FIGURES5 = [
	group("", {
		worker_count: "workers: {}",
		skew_ms: "skew {} ({skew_share} of a step)",
		lost_ms: "wait for the slowest {} per step and worker",
		straggler: "straggler {}, slowest in {straggler_share} of steps"
	}),
	group("Hosts", {
		host_count: "{}",
		common_step_count: "common steps {}",
		clock_offset_ms: "clock offset {} ± {clock_error_ms}"
	})
], SENTENCES2 = [
	["compared_by", "Workers are compared by"],
	["aligned", "Steps aligned by:"],
	["clocks", "Clocks:"]
];
function Sentences({ answer: { findings, summary: summary3 } }) {
	let said4 = findings.map(({ title, detail }) => `${title} ${detail}`.toLowerCase()).join(), isNews = (name) => !!summary3[name] && summary3.host_count !== 1 && !said4.includes(String(summary3[name]).toLowerCase()), told = SENTENCES2.flatMap(([name, words4]) => isNews(name) ? [`${words4} ${summary3[name]}`] : []);
	return told.length ? jsx("p", { class: "soft", children: told.join(" · ") }) : null;
}
function Workers(part) {
	let { page } = part, found = viewOf(part, "stack", "steps"), mean = viewOf(part, "stack", "workers"), steps = useMemo(() => found && stepsOf(found.data), [found?.data]), { params } = page.selection, last2 = steps ? steps.rows.length : 0, at = Math.min(last2, Math.max(mean ? 0 : 1, Number(params.at ?? 0) || 0)), shown3 = useMemo(
		() => at && found ? { ...found, data: picked(found.data, steps.rows[at - 1]) } : mean,
		[found?.data, mean?.data, at]
	);
	if (!found || !steps || !shown3) return null;
	let set = (name2, value) => page.navigate({ params: { ...params, [name2]: value } }, "replace"), by = params.by === "time" ? "time" : "name", { csv, json } = common(page, found.view, found.spec), open = openerOf(page, shown3.spec), name = at ? steps.names[at - 1] : "mean of all steps", title = "Workers side by side";
	return jsxs(Panel, { title, bare: !0, class: "workers-panel", children: [
		jsxs("div", { class: "lines-bar worker-bar", children: [
			jsx("b", { title: shown3.spec.help, children: title }),
			jsx(
				"input",
				{
					type: "range",
					min: mean ? 0 : 1,
					max: last2,
					value: at,
					"aria-label": "Step",
					"aria-valuetext": name,
					onInput: (event) => set("at", event.currentTarget.value === "0" ? "" : event.currentTarget.value)
				}
			),
			jsx("output", { children: name }),
			jsx("span", { class: "grow" }),
			jsxs("label", { hidden: part.answer.summary.worker_count === 1, children: [
				"first",
				" ",
				jsxs("select", { value: by, onChange: (event) => set("by", event.currentTarget.value), children: [
					jsx("option", { value: "name", children: "by name" }),
					jsx("option", { value: "time", children: "slowest first" })
				] })
			] }),
			jsx(Links, { csv, json })
		] }),
		jsx(WorkerBars, { ...shown3, title, by, open, late: String(part.answer.summary.straggler ?? "") })
	] });
}
function OnlySteps(part) {
	let found = viewOf(part, "stack", "steps");
	return found ? jsx(Panel, { title: "Steps", bare: !0, children: jsx(
		Stack,
		{
			...common(part.page, found.view, found.spec),
			...found,
			title: "Steps",
			view: { ...found.view, label: "step" },
			noun: "step",
			quiet: !0,
			hasLegend: !0
		}
	) }) : null;
}
var SKEW = { kind: "stack", title: "", table: "", label: "step", values: ["work_ms", "skew_ms"], show: [] };
function Skew(part) {
	let { page } = part, found = viewOf(part, "stack", "steps"), data = useMemo(() => found && skews(found.data, stepsOf(found.data)), [found?.data]);
	if (!found || !data) return null;
	let spec = {
		...found.spec,
		help: "Time without exposed communication: of each step's fastest worker, and how much longer the slowest takes.",
		columns: SKEW.values.map((name) => ({ name, dtype: "float64", unit: "ms", help: "" }))
	}, title = "Skew over steps";
	return jsx(Panel, { title, bare: !0, children: jsx(
		Stack,
		{
			...common(part.page, found.view, found.spec),
			title,
			spec,
			data,
			open: stretchOpener(page),
			view: SKEW,
			noun: "step",
			height: 120,
			quiet: !0
		}
	) });
}
function Which({ answer, page }) {
	let [shown3, all] = [answer.summary.shown_count, answer.summary.step_count];
	if (typeof shown3 != "number" || typeof all != "number" || shown3 >= all) return null;
	let options2 = page.tool.options.filter(({ name }) => ["step", "steps"].includes(name));
	return jsxs("div", { class: "step-line", children: [
		jsxs("span", { class: "soft", children: [
			counted(shown3, "step"),
			" of ",
			all,
			" shown"
		] }),
		jsx(Options, { options: options2, params: page.selection.params, set: (params) => page.navigate({ params }) })
	] });
}
var TABLE = [
	"worker",
	"steps",
	"mean_ms",
	"max_ms",
	"work_ms",
	"lag_ms",
	"times_slowest",
	"clock_offset_ms",
	"bottleneck"
], EXCHANGED = [
	"kind",
	"tensor",
	"group",
	"group_size",
	"count",
	"bytes",
	"mean_us",
	"total_ms",
	"algorithm_gb_s",
	"bus_gb_s",
	"exposed_share",
	"skew_us",
	"last_worker",
	"lag_us",
	"why_unknown"
];
function exchanged({ tables }) {
	return [...tables.collectives?.columns.tensor ?? []].some((name) => name !== null) ? EXCHANGED : EXCHANGED.filter((name) => name !== "tensor");
}
var IDLE2 = [
	"worker",
	"stream",
	"idle_ms",
	"idle_share",
	"host_wait_ms",
	"kernel_wait_ms",
	"collective_wait_ms",
	"copy_wait_ms",
	"stream_wait_ms",
	"unattributed_ms"
];
function Report6(part) {
	let { answer, page } = part, some = (table) => rowsOf(answer, table) > 0;
	return jsxs(Fragment2, { children: [
		jsxs(Conclusion, { ...part, children: [
			jsx(StepLine, { ...part }),
			jsx(
				Figures,
				{
					answer,
					page,
					groups: answer.summary.host_count === 1 ? FIGURES5.slice(0, 1) : FIGURES5
				}
			),
			jsx(Sentences, { ...part })
		] }),
		jsx(Workers, { ...part }),
		jsx(Which, { ...part }),
		jsxs("div", { class: "columns capped", children: [
			answer.summary.worker_count === 1 ? jsx(OnlySteps, { ...part }) : jsx(Skew, { ...part }),
			jsx(MoreFindings, { ...part, shrinks: !0 })
		] }),
		jsx(TablePart, { ...part, table: "workers", show: TABLE, class: "first-table" }),
		some("collectives") && jsx(TablePart, { ...part, table: "collectives", show: exchanged(answer) }),
		some("idle") && jsx(TablePart, { ...part, table: "idle", show: IDLE2 })
	] });
}
var pod_viewer_default = stepsPage(Report6);

// src/tools/tf_data.tsx
var tf_data_exports = {};
__export(tf_data_exports, {
	default: () => TfData,
	keys: () => keys6
});

// library:@dagrejs/dagre
var { Graph, debug, default: whole3, graphlib, layout, util, version } = libraries["@dagrejs/dagre"];

// src/views/graph.ts
var MOST_BESIDE = 4, MOST_NODES = 1e3, [NODE_WIDTH, NODE_HEIGHT] = [304, 46], [GAP_X, GAP_Y, MARGIN] = [20, 22, 12];
function parentsOf(nodes) {
	let given2 = new Map(nodes.map(({ id, parent }) => [id, parent])), parents = /* @__PURE__ */ new Map();
	for (let { id } of nodes) {
		let way = /* @__PURE__ */ new Set();
		for (let at = id; at !== null && !parents.has(at); ) {
			way.add(at);
			let above = given2.get(at) ?? null, next2 = above !== null && given2.has(above) ? above : null;
			parents.set(at, next2 !== null && way.has(next2) ? null : next2), at = parents.get(at);
		}
	}
	return parents;
}
function pathOf(points2) {
	let [first, ...rest] = points2;
	if (!first) return "";
	let last2 = rest.pop() ?? first, all = [first, ...rest, last2];
	if (["x", "y"].some((axis2) => all.every((point2) => Math.abs(point2[axis2] - first[axis2]) < 1)))
		return `M${first.x},${first.y}L${last2.x},${last2.y}`;
	let path = `M${first.x},${first.y}`;
	return rest.forEach((point2, i) => {
		let next2 = rest[i + 1] ?? last2, [x, y] = i + 1 < rest.length ? [(point2.x + next2.x) / 2, (point2.y + next2.y) / 2] : [next2.x, next2.y];
		path += `Q${point2.x},${point2.y} ${x},${y}`;
	}), path;
}
function depthsOf(parents) {
	let depths = /* @__PURE__ */ new Map();
	for (let id of parents.keys()) {
		let way = [];
		for (let at = id; at !== null && !depths.has(at); at = parents.get(at) ?? null) way.push(at);
		for (let at of way.reverse()) {
			let parent = parents.get(at) ?? null;
			depths.set(at, parent === null ? 0 : depths.get(parent) + 1);
		}
	}
	return depths;
}
function runsAcross(depths) {
	let counts = [];
	for (let depth of depths.values()) counts[depth] = (counts[depth] ?? 0) + 1;
	return counts.some((count) => count > MOST_BESIDE);
}
function place(nodes) {
	let graph = new Graph(), parents = parentsOf(nodes), depths = depthsOf(parents), across = runsAcross(depths), gaps = across ? { rankdir: "LR", nodesep: 8, ranksep: 40 } : { rankdir: "TB", nodesep: GAP_X, ranksep: GAP_Y };
	graph.setGraph({ ...gaps, marginx: MARGIN, marginy: MARGIN }), graph.setDefaultEdgeLabel(() => ({}));
	for (let { id } of nodes) graph.setNode(id, { width: NODE_WIDTH, height: NODE_HEIGHT });
	for (let [id, parent] of parents) parent !== null && graph.setEdge(parent, id);
	layout(graph, { disableOptimalOrderHeuristic: !0 });
	let { width = 0, height = 0 } = graph.graph(), arrows = graph.edges().map(({ v, w }) => {
		let { points: points2 } = graph.edge(v, w);
		return { from: w, to: v, path: pathOf([...points2].reverse()) };
	});
	return { width, height, nodes: ranked(graph, nodes, depths), arrows, across };
}
function ranked(graph, nodes, depths) {
	let placed = nodes.map(({ id }) => {
		let { x, y } = graph.node(id);
		return { id, x: x - NODE_WIDTH / 2, y: y - NODE_HEIGHT / 2, rank: depths.get(id), order: 0 };
	});
	return placed.sort((a, b) => a.rank - b.rank || a.x - b.x || a.y - b.y), placed.forEach((one, i) => {
		let before = placed[i - 1];
		one.order = before?.rank === one.rank ? before.order + 1 : 0;
	}), new Map(placed.map(({ id, ...rest }) => [id, rest]));
}
var ACROSS = {
	ArrowLeft: "ArrowUp",
	ArrowRight: "ArrowDown",
	ArrowUp: "ArrowLeft",
	ArrowDown: "ArrowRight"
};
function movedNode(pressed, id, { nodes, across }, parents) {
	let key = across ? ACROSS[pressed] ?? pressed : pressed;
	if (key === "ArrowUp") return parents.get(id) ?? id;
	let ids = [...nodes.keys()];
	if (key === "ArrowDown") return ids.find((other) => parents.get(other) === id) ?? id;
	if (key !== "ArrowLeft" && key !== "ArrowRight") return null;
	let beside = ids[ids.indexOf(id) + (key === "ArrowRight" ? 1 : -1)];
	return beside !== void 0 && nodes.get(beside).rank === nodes.get(id).rank ? beside : id;
}

// src/views/graph_view.tsx
var KEYS7 = [
	["↑ ↓ ← →", "in a graph: to the consumer, the producer, the neighbours", ".graph-scroll"],
	["+ − 0", "in a graph: zoom in, out, fit", ".graph-scroll"]
], [LEAST_ZOOM, MOST_ZOOM, ZOOM_STEP] = [0.25, 2, 1.25], READABLE = 0.7, DRAG_PX3 = 4;
function clamped(zoom) {
	return Math.min(MOST_ZOOM, Math.max(LEAST_ZOOM, zoom));
}
function fitting2(box, width, height) {
	return !box?.clientWidth || !width ? 1 : Math.min(1, Math.max(READABLE, Math.min(box.clientWidth / width, box.clientHeight / height)));
}
function usePan(scroller) {
	let held = useRef(null);
	return {
		onPointerDown: (event) => {
			let box = scroller.current;
			event.button !== 0 || event.pointerType === "touch" || event.target.closest("button") || (held.current = { x: event.clientX, y: event.clientY, left: box.scrollLeft, top: box.scrollTop });
		},
		onPointerMove: (event) => {
			let [from, box] = [held.current, scroller.current];
			if (!from) return;
			let [dx, dy] = [event.clientX - from.x, event.clientY - from.y];
			Math.abs(dx) + Math.abs(dy) < DRAG_PX3 || (box.hasPointerCapture(event.pointerId) || box.setPointerCapture(event.pointerId), box.scrollTo(from.left - dx, from.top - dy));
		},
		onPointerUp: () => {
			held.current = null;
		},
		onPointerCancel: () => {
			held.current = null;
		}
	};
}
function Node({ stage, at, isSelected, isReached, press: press2 }) {
	let { name, value, line, share, mark: mark3, isCritical, isAsync, isPale, words: words4 } = stage, names = Object.entries({ marked: mark3, critical: isCritical, async: isAsync, pale: isPale && !isCritical }).flatMap(([look, on]) => on ? [look] : []);
	return jsxs(
		"button",
		{
			type: "button",
			class: ["graph-node", ...names].join(" "),
			style: { left: `${at.x}px`, top: `${at.y}px`, width: `${NODE_WIDTH}px`, height: `${NODE_HEIGHT}px` },
			"data-node": stage.id,
			"aria-label": words4,
			"aria-pressed": isSelected,
			tabIndex: isReached ? 0 : -1,
			title: words4,
			onClick: press2,
			children: [
				jsxs("span", { class: "graph-row", children: [
					jsx(Name, { text: name, title: words4 }),
					mark3 && jsx("span", { class: "graph-mark", children: mark3 }),
					jsx("b", { class: "grow number", children: share !== null && share > 0 && percent(share) })
				] }),
				jsxs("span", { class: "graph-row soft", children: [
					jsx("span", { children: value }),
					jsx("span", { class: "graph-line", children: line })
				] }),
				share !== null && jsx("i", { class: "graph-share", style: { width: `${100 * Math.min(1, Math.max(0, share))}%` } })
			]
		}
	);
}
function Graph2(props) {
	return props.stages.length > MOST_NODES ? jsxs("div", { class: "graph", children: [
		jsxs("div", { class: "table-bar", children: [
			jsx("h2", { children: props.title }),
			props.children
		] }),
		jsxs("p", { class: "soft", children: [
			counted(props.stages.length, "node"),
			" are too many to draw (the limit is ",
			counted(MOST_NODES, "node"),
			"): they are in the table below."
		] })
	] }) : jsx(Drawn4, { ...props });
}
function Drawn4({ title, stages, selected: selected2, select, zoom: chosen2, setZoom, words: words4, legend, children }) {
	let placement = useMemo(() => place(stages), [stages]), parents = useMemo(() => parentsOf(stages), [stages]), byId = useMemo(() => new Map(stages.map((stage) => [stage.id, stage])), [stages]), scroller = useRef(null), [fit, setFit] = useState(1), { width, height } = placement;
	useLayoutEffect(() => {
		let measure3 = () => setFit(fitting2(scroller.current, width, height)), sizes = new ResizeObserver(measure3);
		return sizes.observe(scroller.current), measure3(), () => sizes.disconnect();
	}, [width, height]);
	let zoom = chosen2 === null ? fit : clamped(chosen2), change = (factor) => setZoom(Number(clamped(zoom * factor).toFixed(3))), latest = useRef(change);
	latest.current = change;
	let centred = useRef(!1), reached2 = selected2 !== null && byId.has(selected2) ? selected2 : placement.nodes.keys().next().value ?? null, nodeOf = (id) => [...scroller.current.querySelectorAll("[data-node]")].find((node) => node.dataset.node === id);
	useEffect(() => {
		let [box, at] = [scroller.current, reached2 === null ? void 0 : placement.nodes.get(reached2)];
		!at || chosen2 !== null && centred.current || (centred.current = !0, box.scrollLeft = (at.x + NODE_WIDTH / 2) * zoom - box.clientWidth / 2, box.scrollTop = (at.y + NODE_HEIGHT / 2) * zoom - box.clientHeight / 2);
	}, [placement, fit]), useEffect(() => {
		let box = scroller.current, onWheel2 = (event) => {
			!event.ctrlKey && !event.metaKey || (event.preventDefault(), latest.current(event.deltaY < 0 ? ZOOM_STEP : 1 / ZOOM_STEP));
		};
		return box.addEventListener("wheel", onWheel2, { passive: !1 }), () => box.removeEventListener("wheel", onWheel2);
	}, []);
	let onKeyDown2 = (event) => {
		if (event.ctrlKey || event.metaKey || event.altKey) return;
		let id = event.target.dataset.node, next2 = id === void 0 ? null : movedNode(event.key, id, placement, parents);
		if (next2 !== null)
			select(next2), nodeOf(next2)?.focus();
		else if (event.key === "+") change(ZOOM_STEP);
		else if (event.key === "-") change(1 / ZOOM_STEP);
		else if (event.key === "0") setZoom(null);
		else return;
		event.preventDefault();
	};
	return jsxs("div", { class: "graph", children: [
		jsxs("div", { class: "table-bar", children: [
			jsx("h2", { children: title }),
			children,
			jsx("span", { class: "grow" }),
			jsx("button", { type: "button", title: "Zoom out (−)", "aria-label": "Zoom out", onClick: () => change(1 / ZOOM_STEP), children: "−" }),
			jsxs("button", { type: "button", title: "Fit (0)", onClick: () => setZoom(null), children: [
				Math.round(100 * zoom),
				" %"
			] }),
			jsx("button", { type: "button", title: "Zoom in (+)", "aria-label": "Zoom in", onClick: () => change(ZOOM_STEP), children: "+" })
		] }),
		jsx(
			"div",
			{
				class: "graph-scroll",
				ref: scroller,
				role: "group",
				"aria-label": title,
				"aria-description": words4,
				onKeyDown: onKeyDown2,
				...usePan(scroller),
				children: jsx("div", { class: "graph-room", style: { width: `${width * zoom}px`, height: `${height * zoom}px` }, children: jsxs("div", { class: "graph-plane", style: { width: `${width}px`, height: `${height}px`, scale: `${zoom}` }, children: [
					jsx("svg", { width, height, "aria-hidden": "true", children: placement.arrows.map(({ from, to, path }) => {
						let [source, target] = [byId.get(from), byId.get(to)], isCritical = source.isCritical && target.isCritical;
						return jsx(
							"path",
							{
								d: path,
								class: [isCritical ? "critical" : "", source.isAsync ? "async" : ""].join(" ")
							},
							`${from} ${to}`
						);
					}) }),
					[...placement.nodes].map(([id, at]) => jsx(
						Node,
						{
							stage: byId.get(id),
							at,
							isSelected: id === selected2,
							isReached: id === reached2,
							press: () => select(id)
						},
						id
					))
				] }) })
			}
		),
		jsx("p", { class: "legend", children: legend }),
		jsx("p", { class: "offscreen", children: words4 })
	] });
}

// src/views/stages.ts
function time(value) {
	return value === null ? "?" : formatNumber(value, "us");
}
var BOTTLENECK = "bottleneck", WAITED = "waited for";
function inWords3(data, row, limiter) {
	let { columns } = data, of = (name) => number(columns[name]?.[row]), [share, calls] = [of("blocking_share"), of("calls")], mark3 = markOf(data, row, limiter), worked = ["self", "function", "wait"].flatMap((name) => {
		let value = of(`${name}_us`);
		return value ? [`${name === "wait" ? "waiting" : name} ${time(value)}`] : [];
	});
	return [
		`${String(columns.name?.[row])}: ${calls === null ? "calls unknown" : counted(calls, "call")}, ${time(of("duration_us"))} in total`,
		worked.length ? `, of which ${worked.join(", ")}` : "",
		share ? `; ${percent(share)} of the program's waiting time` : "; the program did not wait for it",
		mark3 === BOTTLENECK ? "; the bottleneck" : mark3 ? "; what calls waited for" : "",
		columns.async?.[row] === !0 ? "; runs on background threads" : ""
	].join("");
}
function markOf(data, row, limiter) {
	if (data.columns.bottleneck?.[row] !== !0) return "";
	let name = data.columns.long_name?.[row];
	return limiter === "" || name === void 0 || name === limiter ? BOTTLENECK : WAITED;
}
function stagesOf(data, limiter = "") {
	let { columns } = data, is = (name, row) => columns[name]?.[row] === !0;
	return Array.from({ length: rowCount(data) }, (_, row) => {
		let of = (name) => number(columns[name]?.[row]), [parent, calls, iterators] = [of("parent"), of("calls"), of("iterators")], work = (of("self_us") ?? 0) + (of("function_us") ?? 0), line = [
			calls !== 0 && `${time(of("duration_us"))} in ${calls === null ? "?" : counted(calls, "call")}`,
			(iterators ?? 0) > 1 && counted(iterators, "iterator")
		];
		return {
			id: String(row),
			parent: parent !== null && parent >= 0 ? String(parent) : null,
			name: String(columns.name?.[row] ?? ""),
			value: calls === 0 && !work ? "not called here" : of("self_us") === null ? "" : `work ${time(work)}`,
			line: line.filter(Boolean).join(" · "),
			share: of("blocking_share"),
			mark: markOf(data, row, limiter),
			isCritical: is("critical", row) || is("bottleneck", row),
			isAsync: is("async", row),
			isPale: !is("blocking", row),
			words: inWords3(data, row, limiter)
		};
	});
}
function graphInWords(data, limiter = "") {
	let names = (data.columns.name ?? []).map(String), rows = [...names.keys()], critical = rows.filter((row) => data.columns.critical?.[row] === !0).map((row) => names[row]), share = (row) => number(data.columns.blocking_share?.[row]) ?? 0, most = rows.filter((row) => share(row) > 0).sort((a, b) => share(b) - share(a)).slice(0, 5).map((row) => `${names[row]} ${percent(share(row))}`), marked2 = rows.filter((row) => data.columns.bottleneck?.[row] === !0).map((row) => names[row]), isLimiter = rows.some((row) => markOf(data, row, limiter) === BOTTLENECK);
	return [
		`Pipeline of ${counted(names.length, "stage")}.`,
		critical.length ? `Critical path: ${critical.join(" > ")}.` : "",
		marked2.length ? `${isLimiter ? "Bottleneck" : "Calls waited for"}: ${marked2.join(", ")}.` : "No stage is the bottleneck.",
		most.length ? `The program waited for: ${most.join(", ")}.` : "The program did not wait."
	].filter(Boolean).join(" ");
}
function parametersOf(text3) {
	return text3.split(/[;,]?\s+(?=[\w.]+=)|[;\n]\s*/).map((part) => part.trim()).filter(Boolean).map((part) => {
		let at = part.indexOf("=");
		return at < 0 ? [part, ""] : [part.slice(0, at), part.slice(at + 1)];
	});
}

// src/tools/tf_data.tsx
var keys6 = KEYS7, FIGURES6 = [
	group("Input", {
		wait_step_ms: { words: "wait {} per step", always: !0 },
		wait_share: "{} of the step",
		bottleneck: "limited by {}",
		work: "{}"
	}),
	group("Pipeline", {
		pipeline: "{}",
		calls: "calls {}",
		slow_calls: "slow {} (> 50 µs)"
	})
];
function text2(value) {
	return value == null ? "" : String(value);
}
function withHost(answer, show2) {
	return new Set(answer.tables.pipelines?.columns.host).size > 1 ? [...show2, "host"] : show2;
}
function ofChosen({ answer, page }, table) {
	let { summary: summary3, tables } = answer, { host: host2 = [], pipeline = [], ...others } = tables[table]?.columns ?? {}, onHost = host2.map((one) => one === summary3.chosen_host), inPipeline = onHost.map((isOn2, row) => isOn2 && pipeline[row] === summary3.chosen_pipeline), isShown4 = inPipeline.includes(!0) ? inPipeline : onHost, columns = Object.fromEntries(
		Object.entries({ host: host2, pipeline, ...others }).map(([name, cells]) => [
			name,
			cells.filter((_, row) => isShown4[row])
		])
	), count = `${table}_rows`, whole4 = summary3[count] === isShown4.length ? { [count]: rowCount({ columns }) } : {};
	return {
		page,
		answer: { ...answer, summary: { ...summary3, ...whole4 }, tables: { ...tables, [table]: { columns } } }
	};
}
function chosen(page, change, without2) {
	let rest = Object.entries(page.selection.params).filter(([name]) => !without2.includes(name));
	page.navigate({ params: { ...Object.fromEntries(rest), ...change } });
}
var WHAT = ["pipeline", "execution", "at", "zoom"];
function namesOf({ columns }) {
	let hosts = (columns.host ?? []).map(text2), isOne = new Set(hosts).size < 2;
	return (columns.pipeline ?? []).map((name, row) => isOne ? text2(name) : `${hosts[row]}/${text2(name)}`);
}
function Pickers({ answer, page }) {
	let { summary: summary3, tables } = answer, pipelines = tables.pipelines?.columns ?? {}, executions = tables.executions?.columns ?? {}, [name, host2] = [text2(summary3.chosen_pipeline), text2(summary3.chosen_host)], all = (pipelines.pipeline ?? []).map((_, row) => row), hosts = [...new Set((pipelines.host ?? []).map(text2))], names = namesOf(tables.pipelines ?? { columns: {} }), offers = all.filter((row) => hosts.length < 2 || text2(pipelines.host[row]) === host2).map((row) => {
		let [one, mean, wait] = [
			pipelines.pipeline[row],
			pipelines.mean_us?.[row],
			pipelines.wait_share?.[row]
		], said4 = [
			text2(one),
			typeof mean == "number" ? `${formatNumber(mean, "us")} per call` : "",
			typeof wait == "number" && wait > 0 ? `${formatNumber(wait, "share")} of the step` : ""
		];
		return [names[row], said4.filter(Boolean).join(", ")];
	}), byHost = (chosenHost) => {
		let row = all.find((one) => text2(pipelines.host[one]) === chosenHost);
		row !== void 0 && chosen(page, { pipeline: names[row] }, WHAT);
	}, slow = (executions.duration_us ?? []).filter((us) => typeof us == "number" && us > 50).length, calls = (executions.rank ?? []).map((rank, row) => {
		let [us, step, cut] = ["duration_us", "step", "cut"].map((column) => executions[column]?.[row]), said4 = [
			`${Number(rank) === 0 ? "slowest" : `#${Number(rank) + 1}`} ${typeof us == "number" ? formatNumber(us, "us") : ""}`,
			step == null ? "" : `step ${step}`,
			cut ? "cut" : ""
		];
		return [text2(rank), said4.filter(Boolean).join(", ")];
	}), together2 = slow ? "all slow calls" : "all calls";
	return jsxs(Fragment2, { children: [
		hosts.length > 1 && jsx(
			Select,
			{
				name: "host",
				help: "Host of the pipeline",
				value: host2,
				offers: hosts.map((one) => [one, one]),
				choose: byHost
			}
		),
		(offers.length > 1 || hosts.length > 1) && jsx(
			Select,
			{
				name: "pipeline",
				help: "Pipeline to show; the most expensive first",
				value: hosts.length > 1 ? `${host2}/${name}` : name,
				offers,
				choose: (pipeline) => chosen(page, { pipeline }, WHAT)
			}
		),
		jsx(
			Select,
			{
				name: "execution",
				help: "Call to show, the slowest first; or all slow calls together",
				value: text2(summary3.chosen_execution),
				offers: [["-1", together2], ...calls],
				choose: (execution) => chosen(page, execution === "-1" ? {} : { execution }, ["execution", "at"])
			}
		)
	] });
}
var LATER = ["parent", "name", "long_name", "parameters", "track", "start_ps", "duration_ps"], LOOKS = ["critical", "blocking", "bottleneck", "async"];
function limiterOf({ summary: summary3, tables }) {
	let { columns } = tables.pipelines ?? { columns: {} }, wanted3 = [summary3.chosen_host, summary3.chosen_pipeline], row = (columns.pipeline ?? []).findIndex(
		(_, i) => ["host", "pipeline"].every((name, part) => columns[name]?.[i] === wanted3[part])
	);
	return text2(columns.bottleneck_name?.[row]);
}
function Advice2({ answer, stage }) {
	let { columns } = answer.tables.bottlenecks ?? { columns: {} }, wanted3 = [answer.summary.chosen_host, answer.summary.chosen_pipeline, stage], row = (columns.stage_name ?? []).findIndex(
		(_, i) => ["host", "pipeline", "stage_name"].every((name, part) => columns[name]?.[i] === wanted3[part])
	), [cost, advice] = ["cost", "advice"].map((name) => text2(columns[name]?.[row])), isShown4 = answer.findings.some(({ action }) => action.includes(advice));
	return row < 0 || !advice || isShown4 ? null : jsxs("p", { class: "advice", children: [
		jsx(Words, { text: advice }),
		" ",
		cost && jsxs("span", { class: "soft", children: [
			"Cost: ",
			jsx(Words, { text: cost }),
			"."
		] })
	] });
}
function callOf({ columns }, row) {
	let [start_ps, length2, track] = ["start_ps", "duration_ps", "track"].map(
		(name) => Number(columns[name]?.[row])
	);
	return {
		host: text2(columns.host?.[row]),
		start_ps,
		end_ps: start_ps + length2,
		track,
		tracks: ""
	};
}
function isShown3({ name, unit }, value) {
	return value == null || value === "" ? !1 : value !== 0 || unit !== "us" && unit !== "share" || name === "blocking_share";
}
function StageDetails({ answer, page, row, spec, data }) {
	let cell = (name) => data.columns[name]?.[row], said4 = spec.columns.filter(({ name }) => !LATER.includes(name) && !LOOKS.includes(name)).filter((column) => isShown3(column, cell(column.name))), names = new Set(said4.map(({ name }) => name)), more = parametersOf(text2(cell("parameters"))).filter(([name]) => !names.has(name)), [start, length2, track] = [cell("start_ps"), cell("duration_ps"), cell("track")].map(Number), leads = typeof cell("start_ps") == "number" && track >= 0, looksLike = {
		critical: "critical path",
		blocking: "waited for",
		bottleneck: markOf(data, row, limiterOf(answer)) === BOTTLENECK ? BOTTLENECK : "",
		async: "background threads"
	}, looks = LOOKS.filter((name) => cell(name) === !0).flatMap((name) => looksLike[name] || []), host2 = text2(answer.summary.chosen_host);
	return jsxs(Panel, { title: `Stage ${text2(cell("name"))}`, bare: !0, class: "stage-details", children: [
		jsxs("div", { class: "table-bar", children: [
			jsx("h2", { children: jsx(Name, { text: text2(cell("name")) }) }),
			jsx("span", { class: "soft", children: looks.join(" · ") }),
			jsx("span", { class: "grow" }),
			leads && jsx(
				"button",
				{
					type: "button",
					title: `Its longest call, ${formatNumber(length2, "ps")}`,
					onClick: () => page.navigate(inTrace({ host: host2, start_ps: start, end_ps: start + length2, track, tracks: "" })),
					children: "Longest call in trace ▸"
				}
			)
		] }),
		jsx("p", { class: "soft stage-name", children: jsx(Name, { text: text2(cell("long_name")) }) }),
		jsx(Advice2, { answer, stage: text2(cell("long_name")) }),
		jsxs("dl", { class: "pairs", children: [
			said4.map((column) => jsxs("div", { title: `${column.help}
${exactCell(cell(column.name), column)}`, children: [
				jsx("dt", { children: label(column) }),
				jsx("dd", { children: isNumeric(column) ? formatCell(cell(column.name), column) : jsx(Name, { text: formatCell(cell(column.name), column) }) })
			] }, column.name)),
			more.map(([name, value]) => jsxs("div", { title: `${name}, as recorded by the iterator`, children: [
				jsx("dt", { children: name }),
				jsx("dd", { children: jsx(Name, { text: value }) })
			] }, `=${name}`))
		] })
	] });
}
var GRAPH = [
	"name",
	"blocking_share",
	"self_us",
	"function_us",
	"wait_us",
	"duration_us",
	"calls",
	"parallelism"
], PIPELINES = [
	"pipeline",
	"wait_share",
	"wait_step_ms",
	"bottleneck",
	"work",
	"calls",
	"slow_calls",
	"mean_us",
	"max_us"
], EXECUTIONS = [
	"rank",
	"duration_us",
	"step",
	"bottleneck",
	"bottleneck_us",
	"start_ms",
	"cut"
], BOTTLENECKS = [
	"stage",
	"share",
	"wait_step_ms",
	"work",
	"cost",
	"advice",
	"pipeline"
], FUNCTIONS = ["function", "self_ms", "share", "stage"];
function Legend3({ mark: mark3 }) {
	return jsxs(Fragment2, { children: [
		jsxs("span", { title: "The program's waiting time is attributed to the stages that worked at that time", children: [
			jsx("i", { class: "bar-sample" }),
			"% of the program’s waiting time"
		] }),
		jsxs("span", { children: [
			jsx("i", { class: "bold-sample" }),
			"critical path"
		] }),
		jsxs("span", { children: [
			jsx("i", { class: "dashed-sample" }),
			"on background threads"
		] }),
		jsxs("span", { children: [
			jsx("i", { class: "marked-sample" }),
			mark3 || "bottleneck"
		] })
	] });
}
function Pipeline(part) {
	let { answer, page } = part, spec = page.tool.tables.find(({ name }) => name === "graph"), data = answer.tables.graph, limiter = limiterOf(answer), stages = useMemo(() => data ? stagesOf(data, limiter) : [], [data, limiter]), words4 = useMemo(() => data ? graphInWords(data, limiter) : "", [data, limiter]), functions = useMemo(() => ofChosen(part, "functions").answer, [answer]), at = page.selection.params.at, marked2 = stages.find(({ mark: mark3 }) => mark3) ?? stages[0], selected2 = stages.find(({ id }) => id === at) ?? marked2, title = text2(answer.summary.chosen_pipeline) || "Pipeline", set = (change) => page.navigate({ params: { ...page.selection.params, ...change } }, "replace");
	if (!spec || !data || !stages.length) return null;
	let isMany = stages.length > MOST_NODES;
	return jsxs("div", { class: "columns", children: [
		jsxs("div", { class: "stack", children: [
			jsx(Panel, { title, bare: !0, children: jsx(
				Graph2,
				{
					title: counted(stages.length, "stage"),
					stages,
					selected: selected2?.id ?? null,
					select: (id) => set({ at: id }),
					zoom: Number(page.selection.params.zoom) || null,
					setZoom: (zoom) => set({ zoom: zoom === null ? "" : String(zoom) }),
					words: words4,
					legend: jsx(Legend3, { mark: marked2?.mark ?? "" }),
					children: jsx(Pickers, { ...part })
				}
			) }),
			isMany && jsx(TablePart, { ...part, table: "graph", show: GRAPH }),
			jsx(
				TablePart,
				{
					...part,
					table: "executions",
					show: EXECUTIONS,
					class: "tall",
					what: "Show in graph",
					open: (row, { columns }) => chosen(page, { execution: text2(columns.rank?.[row]) }, ["execution", "at"]),
					find: {
						what: "Show in trace ▸",
						can: (row, { columns }) => typeof columns.start_ps?.[row] == "number",
						open: (row, data2) => page.navigate(inTrace(callOf(data2, row)))
					}
				}
			)
		] }),
		jsxs("div", { class: "stack", children: [
			selected2 && jsx(StageDetails, { ...part, row: Number(selected2.id), spec, data }),
			jsx(MoreFindings, { ...part }),
			jsx(
				TablePart,
				{
					page,
					answer: functions,
					table: "functions",
					show: FUNCTIONS,
					class: "short",
					find: {
						what: "Find in trace ▸",
						open: (row, { columns }) => page.navigate(eventsInTrace(text2(columns.function?.[row])))
					}
				}
			)
		] })
	] });
}
function Report7(part) {
	let { answer, page } = part;
	return jsxs(Fragment2, { children: [
		jsxs(Conclusion, { ...part, children: [
			jsx(StepLine, { ...part }),
			jsx(Figures, { answer, page, groups: FIGURES6 })
		] }),
		jsx(Pipeline, { ...part }),
		jsx(
			TablePart,
			{
				...part,
				table: "pipelines",
				show: withHost(answer, PIPELINES),
				class: "tall",
				what: "Show this pipeline",
				open: (row, data) => chosen(page, { pipeline: namesOf(data)[row] ?? "" }, WHAT)
			}
		),
		rowsOf(answer, "bottlenecks") > 1 && jsx(TablePart, { ...part, table: "bottlenecks", show: withHost(answer, BOTTLENECKS), class: "tall" })
	] });
}
function TfData(page) {
	let asked3 = useAnswer(page.api, given(page));
	return jsx("div", { class: "page", children: isRefused(asked3, page) && page.selection.params.steps_from === void 0 ? jsx(Refused, { asked: asked3, page }) : jsx(ShownSteps, { asked: asked3, page, children: (answer) => jsx(Report7, { answer, page }) }) });
}

// src/tools/trace_viewer.tsx
var trace_viewer_exports = {};
__export(trace_viewer_exports, {
	default: () => TraceViewer,
	keys: () => keys7
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
var PLACES = [
	"start_ps",
	"end_ps",
	"start_ms",
	"end_ms",
	"range",
	"event",
	"clock",
	"at",
	"step",
	"bars",
	"memory",
	"pipeline",
	"execution",
	"zoom",
	"area",
	"marks",
	"compare",
	"busy",
	"pin",
	"hide",
	"fold",
	"unfold",
	"compact",
	"order",
	"align"
];
function withoutPlaces(params) {
	let isPlace = (name) => PLACES.includes(name) || /\.(rows|open)$/.test(name);
	return Object.fromEntries(Object.entries(params).filter(([name]) => !isPlace(name)));
}
function changed(old, change) {
	let isOther = change.run !== void 0 && change.run !== old.run, kept2 = isOther ? withoutPlaces(old.params) : old.params, params = change.tool !== void 0 && change.tool !== old.tool ? {} : kept2, hosts = isOther ? [] : old.hosts, next2 = { ...old, params, hosts, ...change };
	return { ...next2, params: withShared(old.params, next2.params) };
}

// src/timeline/scale.ts
var CLOSEST_SHARE = 4547473508864641e-28;
function closest(span2) {
	return Math.max(20, CLOSEST_SHARE * Math.max(Math.abs(span2.start), Math.abs(span2.end)));
}
function length(view) {
	return view.end - view.start;
}
function toX(time2, view, width) {
	return (time2 - view.start) / length(view) * width;
}
function toTime(x, view, width) {
	return view.start + x / width * length(view);
}
function clamped2(view, span2) {
	let least = closest(span2), long = Math.min(Math.max(length(view), least), Math.max(length(span2), least)), start = Math.min(Math.max(view.start, span2.start), Math.max(span2.end - long, span2.start));
	return { start, end: start + long };
}
function timeAt(view, share) {
	return view.start + share * length(view);
}
function zoomed2(view, factor, share, span2, at = timeAt(view, share)) {
	let least = closest(span2), long = Math.min(Math.max(length(view) * factor, least), Math.max(length(span2), least));
	return clamped2({ start: at - share * long, end: at + (1 - share) * long }, span2);
}
function panned(view, share, span2) {
	let by = share * length(view);
	return clamped2({ start: view.start + by, end: view.end + by }, span2);
}
function around2(start, end, share, span2) {
	let long = Math.max(end - start, 1) / share, middle3 = start + (end - start) / 2;
	return clamped2({ start: middle3 - long / 2, end: middle3 + long / 2 }, span2);
}
function overlaps(view, start, end) {
	return start < view.end && end > view.start;
}

// src/timeline/ruler.ts
var UNITS = [
	[1e12, "s"],
	[1e9, "ms"],
	[1e6, "µs"],
	[1e3, "ns"],
	[1, "ps"]
], DIGITS_MAX = 7, TICK_GAP = 110;
function niceStep(least) {
	let power = 10 ** Math.floor(Math.log10(Math.max(least, 1)));
	return ([1, 2, 5, 10].find((n) => n * power >= least * (1 - 1e-9)) ?? 10) * power;
}
function unitOf2(time2) {
	return UNITS.find(([factor]) => time2 >= factor) ?? UNITS[UNITS.length - 1];
}
function exactTime(time2) {
	let whole4 = Math.round(time2), [factor, symbol] = UNITS.find(([f]) => Math.abs(whole4) >= f) ?? UNITS[UNITS.length - 1], digits = Math.round(Math.log10(factor)), text3 = Math.abs(whole4).toString().padStart(digits + 1, "0"), fraction = digits ? text3.slice(-digits).replace(/0+$/, "") : "";
	return `${whole4 < 0 ? "-" : ""}${digits ? text3.slice(0, -digits) : text3}${fraction && `.${fraction}`} ${symbol}`;
}
function baseOf(view, step, origin) {
	let [start, end] = [view.start - origin, view.end - origin];
	if (Math.log10(Math.max(Math.abs(start), Math.abs(end), step) / step) < DIGITS_MAX) return 0;
	let round = 10 ** Math.ceil(Math.log10(length(view)));
	return Math.floor(start / round) * round;
}
function ruler(view, width, gap, origin) {
	let step = niceStep(length(view) * gap / Math.max(width, 1)), base = baseOf(view, step, origin), [factor, symbol] = unitOf2(Math.max(view.end - origin - base, step)), decimals = Math.max(0, Math.ceil(Math.log10(factor / step) - 1e-9)), first = Math.ceil((view.start - origin) / step), last2 = Math.floor((view.end - origin) / step), ticks = [];
	for (let i = first; i <= last2; i++)
		ticks.push({
			time: origin + i * step,
			label: `${base ? "+" : ""}${((i * step - base) / factor).toFixed(decimals)} ${symbol}`
		});
	return { base: base ? exactTime(base) : "", step, ticks };
}

// src/timeline/related.ts
function rowsOf2(answer, table, make) {
	let columns = answer.tables[table]?.columns ?? {}, [first] = Object.values(columns), at = (name, row) => columns[name]?.[row];
	return Array.from({ length: first?.length ?? 0 }, (_, row) => make(at, row));
}
function placeOfRow(at, row) {
	let number3 = (name) => Number(at(name, row) ?? 0);
	return {
		host: String(at("host", row) ?? ""),
		track: number3("track"),
		depth: number3("depth"),
		start: number3("start_ps"),
		duration: number3("duration_ps"),
		row: number3("row"),
		name: String(at("name", row) ?? "")
	};
}
function factsOf(answer) {
	let text3 = (at, name, row) => String(at(name, row) ?? "");
	return rowsOf2(answer, "event", (at, row) => ({
		group: text3(at, "group", row),
		key: text3(at, "key", row),
		value: text3(at, "value", row)
	}));
}
function relatedOf(answer) {
	let known3 = (cell) => typeof cell == "number" && Number.isFinite(cell) ? cell : null, facts = factsOf(answer);
	return {
		last: facts.find(({ group: group2, key }) => group2 === "event" && key === "came_last")?.value ?? "",
		// What is said of the hosts has no evidence.
		why: answer.findings.find(({ evidence }) => evidence.length)?.title ?? "",
		facts,
		links: rowsOf2(answer, "links", (at, row) => ({
			...placeOfRow(at, row),
			kind: String(at("kind", row) ?? ""),
			text: String(at("text", row) ?? "")
		})),
		stack: rowsOf2(answer, "stack", (at, row) => {
			let place2 = known3(at("row", row));
			return {
				name: String(at("name", row) ?? ""),
				row: place2 !== null && place2 >= 0 ? place2 : null,
				duration: known3(at("duration_ps", row)),
				kind: String(at("kind", row) ?? "")
			};
		})
	};
}
function placeOfFacts(facts) {
	let of = (key) => facts.find((f) => f.group === "event" && f.key === key)?.value ?? "";
	return {
		host: of("host"),
		track: Number(of("track")),
		depth: Number(of("depth")),
		start: Number(of("start_ps")),
		duration: Number(of("duration_ps")),
		row: Number(of("row")),
		name: of("name")
	};
}
var SAID = ["name", "host", "process", "track", "track_name", "row", "depth", "came_last"], LINKED = ["parent", "launch", "kernel"], TITLES2 = { event: "Event", stat: "Stats", kind: "Stats of its event type" }, SECTIONS = {
	"Op and step": ["op", "op_type", "module", "step", "step_known_by", "full_name"],
	Launch: ["launch_delay_ps", "grid", "block", "registers", "shared_bytes", "occupancy_percent", "achieved_percent"],
	Copy: ["source", "destination", "bytes", "gb_s"]
};
function titleFor2({ group: group2, key }) {
	let section = Object.keys(SECTIONS).find((title) => SECTIONS[title].includes(key));
	return group2 === "event" && section || (TITLES2[group2] ?? wordsOf2(group2));
}
function parts({ group: group2, key, value }) {
	if (!/_details$/i.test(key)) return null;
	let found = [...value.matchAll(/(\S+?)[:=](\S*)/g)].map(([, name, text3]) => ({ group: group2, key: name, value: text3 }));
	return found.length > 1 ? found : null;
}
var STACKS2 = [
	["python_stack", " ← "],
	["Call stack", ";"]
];
function callersOf({ facts }) {
	for (let [key, between] of STACKS2) {
		let found = facts.find((fact) => fact.key === key);
		if (found) return found.value.split(between).filter(Boolean);
	}
	return [];
}
function groupsOf({ facts, links }) {
	let groups = /* @__PURE__ */ new Map(), add = (title, ...more) => {
		groups.set(title, [...groups.get(title) ?? [], ...more]);
	}, isLinked = (key) => links.length > 0 && LINKED.includes(key), details = [];
	for (let fact of facts) {
		if (fact.group === "event" && (SAID.includes(fact.key) || isLinked(fact.key)) || STACKS2.some(([key]) => key === fact.key)) continue;
		let inside2 = parts(fact);
		inside2 ? details.push([wordsOf2(fact.key), inside2]) : add(titleFor2(fact), fact);
	}
	for (let [title, inside2] of details) add(title, ...inside2);
	return [...groups].map(([title, all]) => ({ title, facts: all }));
}
function wordsOf2(key) {
	let words4 = key.replaceAll("_", " ").trim();
	return words4.charAt(0).toUpperCase() + words4.slice(1);
}
var UNITS2 = [
	[/(^|_)ps$/, "ps"],
	[/(^|_)ns$/, "ns"],
	[/(^|_)us$/, "us"],
	[/(^|_)ms$/, "ms"],
	[/(^|_)bytes$/, "bytes"],
	[/(^|_)gb_s$/, "gb_s"],
	[/(^|_)gflop_s$/, "gflop_s"],
	[/(^|_)share$/, "share"],
	[/(^|_)percent$/, "percent"]
];
function saidOf({ group: group2, key, value }, origin) {
	if (group2 === "event" && key === "category") return { name: key, text: titleOf(value) ?? value, exact: "" };
	let number3 = Number(value), [end, unit] = UNITS2.find(([tail]) => tail.test(key)) ?? [];
	if (!unit || !end || value.trim() === "" || !Number.isFinite(number3))
		return { name: named(key), text: value, exact: "" };
	let name = NAMED2[key] ?? (named(key.replace(end, "")) || named(key));
	return group2 === "event" && key === "start_ps" ? { name, text: exactTime(number3 - origin), exact: exactValue(number3 - origin, "ps") } : { name, text: formatNumber(number3, unit), exact: exactValue(number3, unit) };
}
var NAMED2 = { gb_s: "bandwidth", step_known_by: "known by", bytes: "size" };
function named(key) {
	return NAMED2[key] ?? key.replaceAll("_", " ").trim();
}
var BEFORE = ["launch", "producer", "waits_for"], AFTER = ["kernel", "consumer"];
function arrow2(first, second, kind, keyOf3) {
	let end = first.start + first.duration;
	return {
		from: {
			track: keyOf3(first.host, first.track),
			depth: first.depth,
			time: end <= second.start ? end : first.start
		},
		to: { track: keyOf3(second.host, second.track), depth: second.depth, time: second.start },
		kind
	};
}
function arrowsOf(event, links, keyOf3, shown3 = null) {
	return links.flatMap((link) => AFTER.includes(link.kind) ? [arrow2(event, link, link.kind, keyOf3)] : BEFORE.includes(link.kind) ? [arrow2(link, event, link.kind, keyOf3)] : link !== shown3 || link.kind === "parent" || link.kind === "step" ? [] : [link.start <= event.start ? arrow2(link, event, link.kind, keyOf3) : arrow2(event, link, link.kind, keyOf3)]);
}
var KINDS = {
	launch: "launched by",
	kernel: "launches",
	producer: "needs",
	consumer: "feeds",
	previous: "previous",
	next: "next",
	parent: "inside",
	step: "in step",
	module: "in module",
	peer: "together with",
	waits_for: "waits for"
};
function kindInWords(kind) {
	return KINDS[kind] ?? named(kind);
}

// src/timeline/tracks.ts
function keyOf2(host2, row) {
	return `${encodeURIComponent(host2)}:${row}`;
}
function groupKey(host2, name) {
	return `${encodeURIComponent(host2)}/${encodeURIComponent(name)}`;
}
function isOfValues({ kind }) {
	return kind === "counter" || kind === "memory";
}
function laneHeight(lanes, compact) {
	return compact ? Math.max(1, Math.min(6, Math.floor(48 / Math.max(lanes, 1)))) : 18;
}
function headerAt(top, place2) {
	return { group: null, track: null, pinned: !1, ...place2, top, height: 24, lane: 18 };
}
function trackAt(top, track, group2, compact, pinned) {
	let lane = laneHeight(track.lanes, compact), height = Math.max(track.lanes * lane, isOfValues(track) && !compact ? 36 : 18) + 6, { key, host: host2 } = track;
	return { top, height, lane, level: "track", key, host: host2, group: group2, track, pinned, open: !0, shown: 0 };
}
function layout2({ pinned, hosts, isMany }, folds, pinnedMax = 1 / 0) {
	let made3 = { rows: [], height: 0, pinned: [], pinnedHeight: 0, byTrack: /* @__PURE__ */ new Map(), shown: 0 }, add = (row) => {
		made3.rows.push(row), made3.height += row.height, row.track && made3.byTrack.set(row.key, row);
	}, fits = !0;
	for (let track of pinned) {
		let row = trackAt(made3.pinnedHeight, track, null, folds.isCompact(track), !0);
		if (fits &&= row.top + row.height <= pinnedMax, made3.shown++, !fits) {
			add({ ...row, top: made3.height, pinned: !1 });
			continue;
		}
		made3.pinned.push(row), made3.pinnedHeight += row.height, made3.byTrack.set(row.key, row);
	}
	for (let { host: host2, key, groups } of hosts) {
		let shown3 = groups.reduce((sum, { tracks }) => sum + tracks.length, 0);
		made3.shown += shown3;
		let isOpen2 = !isMany || folds.isOpen(key);
		isMany && add(headerAt(made3.height, { level: "host", key, host: host2, open: isOpen2, shown: shown3 }));
		for (let { group: group2, tracks } of isOpen2 ? groups : []) {
			let open = folds.isOpen(group2.key);
			add(headerAt(made3.height, { level: "group", key: group2.key, host: host2, group: group2, open, shown: tracks.length }));
			for (let track of open ? tracks : []) add(trackAt(made3.height, track, group2, folds.isCompact(track), !1));
		}
	}
	return made3;
}
function rowsBetween({ rows }, top, bottom) {
	let low = 0, high = rows.length;
	for (; low < high; ) {
		let middle3 = low + high >> 1, row = rows[middle3];
		row.top + row.height <= top ? low = middle3 + 1 : high = middle3;
	}
	let found = [];
	for (let i = low; i < rows.length && rows[i].top < bottom; i++) found.push(rows[i]);
	return found;
}
function topOf({ pinnedHeight }, row, scroll) {
	return row.pinned ? row.top : pinnedHeight + row.top - scroll;
}
function rowsOnScreen(layout3, scroll, room) {
	return [...rowsBetween(layout3, scroll, scroll + Math.max(0, room - layout3.pinnedHeight)), ...layout3.pinned].map((row) => ({ row, y: topOf(layout3, row, scroll) }));
}
function rowAt2(layout3, scroll, y) {
	let row = y < layout3.pinnedHeight ? rowsBetween({ rows: layout3.pinned }, y, y + 1)[0] : rowsBetween(layout3, y - layout3.pinnedHeight + scroll, y - layout3.pinnedHeight + scroll + 1)[0];
	return row ? { row, y: topOf(layout3, row, scroll) } : null;
}

// src/timeline/use_related.ts
var KEPT = 64, known2 = /* @__PURE__ */ new WeakMap();
function keptOf(board) {
	let kept2 = known2.get(board) ?? /* @__PURE__ */ new Map();
	return known2.set(board, kept2), kept2;
}
async function askRelated(board, event, signal) {
	let kept2 = keptOf(board), related = kept2.get(event) ?? relatedOf(await board.ask({ event }, signal));
	kept2.delete(event), kept2.set(event, related);
	for (let old of kept2.keys()) {
		if (kept2.size <= KEPT) break;
		kept2.delete(old);
	}
	return related;
}
function useRelated(board, event) {
	let [found, setFound] = useState({ event: "", related: null, error: null });
	return useEffect(() => {
		if (event === null) return;
		let abort = new AbortController();
		return askRelated(board, event, abort.signal).then(
			(related) => !abort.signal.aborted && setFound({ event, related, error: null }),
			(reason) => !abort.signal.aborted && setFound({ event, related: null, error: asApiError(reason) })
		), () => abort.abort();
	}, [board, event]), found.event === event ? found : { related: null, error: null };
}

// src/timeline/go.ts
function sliceOf(board, place2) {
	let track = board.track(keyOf2(place2.host, place2.track)), { depth, start, duration, name, row } = place2;
	return track && { track, depth, start, duration, idle: 0, name, count: 1, row };
}
function placeOfSlice({ track, depth, start, duration, name, row }) {
	return { host: track.host, track: track.row, depth, start, duration, name, row };
}
async function openEvent(board, event, jump = !0) {
	let before = board.selected, related = await askRelated(board, event).catch(() => null), slice = related && sliceOf(board, placeOfFacts(related.facts));
	!slice || board.selected !== before || (board.choose(slice), jump ? board.jump(slice) : board.reveal(slice.track, slice.depth));
}

// src/timeline/rows_text.ts
var ROWS = "\\d+(?:-\\d+)?(?:[.+]\\d+(?:-\\d+)?)*";
function rowsText2(rows) {
	let found = [];
	for (let row of [...rows].sort((a, b) => a - b)) {
		let before = found[found.length - 1];
		before && row <= before[1] + 1 ? before[1] = row : found.push([row, row]);
	}
	return found.map(([first, last2]) => last2 > first ? `${first}-${last2}` : String(first)).join(".");
}
function rowsOf3(text3, most) {
	let rows = [];
	for (let part of text3.split(/[.+]/)) {
		let [first = NaN, last2 = first] = part.split("-").map(Number);
		for (let row = first; row <= last2 && rows.length < most; row++) rows.push(row);
	}
	return rows;
}

// src/timeline/slices.ts
var SLICE_BYTES = 44, SAMPLE_BYTES = 32;
function bytesOf({ start, samples }) {
	return start.length * SLICE_BYTES + (samples ? samples.start.length * SAMPLE_BYTES : 0);
}
var made = 0;
function texts2(cells) {
	return Array.isArray(cells) ? cells : [];
}
function bounds(track, count) {
	let begins = [0], at = 0;
	for (let i = 0; i < count; i++) {
		for (; at < track.length && Number(track[at]) === i; ) at++;
		begins.push(at);
	}
	return begins;
}
function lanesOf(depth, begin, end) {
	let lanes = [0];
	for (let row = begin; row < end; row++) for (; lanes.length <= Number(depth[row]); ) lanes.push(row - begin);
	return lanes.push(end - begin), lanes;
}
function countersOf(answer) {
	let column = (name) => cellsOf(answer, "counter_tracks", name), hosts = column("host"), rows = bounds(cellsOf(answer, "counters", "track"), hosts.length), found = /* @__PURE__ */ new Map();
	return hosts.forEach((host2, i) => {
		let cut = (name) => floats(cellsOf(answer, "counters", name), rows[i], rows[i + 1]), samples = {
			unit: String(column("unit")[i] ?? ""),
			low: Number(column("low")[i] ?? 0),
			high: Number(column("high")[i] ?? 0),
			start: cut("start_ps"),
			least: cut("min"),
			most: cut("max"),
			last: cut("last")
		}, exact = cut("count").every((count) => count <= 1);
		found.set(keyOf2(String(host2), Number(column("track")[i])), { samples, exact });
	}), found;
}
function namesOf2(answer) {
	return {
		id: made++,
		text: texts2(cellsOf(answer, "names", "name")),
		category: texts2(cellsOf(answer, "names", "category"))
	};
}
function cutTrack(answer, shared, begin, end) {
	let column = (name) => cellsOf(answer, "slices", name), cut = (name) => floats(column(name), begin, end);
	return {
		...shared,
		id: made++,
		lanes: lanesOf(column("depth"), begin, end),
		start: cut("start_ps"),
		duration: cut("duration_ps"),
		idle: cut("idle_ps"),
		name: Int32Array.from(cut("name")),
		count: cut("count"),
		row: cut("row"),
		samples: null
	};
}
function slicesOf(answer, asked3) {
	let { window_start_ps, window_end_ps, resolution_ps } = answer.summary, shared = { window: { start: window_start_ps, end: window_end_ps }, resolution: resolution_ps, asked: asked3, names: namesOf2(answer) }, tracks = cellsOf(answer, "window_tracks", "track"), merged = cellsOf(answer, "window_tracks", "merged"), rows = bounds(cellsOf(answer, "slices", "track"), tracks.length), found = /* @__PURE__ */ new Map();
	cellsOf(answer, "window_tracks", "host").forEach((host2, i) => {
		let slices = cutTrack(answer, shared, rows[i], rows[i + 1]);
		found.set(keyOf2(String(host2), Number(tracks[i])), { ...slices, exact: merged[i] === 0 });
	});
	for (let [key, { samples, exact }] of countersOf(answer)) {
		let slices = found.get(key) ?? { ...cutTrack(answer, shared, 0, 0), exact: !0 };
		found.set(key, { ...slices, samples, exact: exact && slices.exact });
	}
	return found;
}

// src/timeline/store.ts
var MOST_BYTES = 96e6, MARGIN2 = 0.5, WIDTH_MAX = 8192, TRACKS_CHARS = 3500, GRID = 256, BESIDE = 1.25, LAYERS_MAX = 5;
function resolutionOf(view, width) {
	return 2 ** Math.floor(Math.log2(Math.max(1, Math.floor(length(view) / Math.max(1, Math.floor(width))))));
}
function ranges(tracks) {
	let hosts = /* @__PURE__ */ new Map();
	for (let { host: host2, row } of tracks) {
		let rows = hosts.get(host2);
		rows ? rows.push(row) : hosts.set(host2, [row]);
	}
	return [...hosts].map(([host2, rows]) => `${encodeURIComponent(host2)}:${rowsText2(rows)}`).sort().join(",");
}
function askable(tracks) {
	let some = tracks;
	for (; some.length > 1 && ranges(some).length > TRACKS_CHARS; ) some = some.slice(0, some.length >> 1);
	return some;
}
function textBytes(texts3) {
	return texts3.reduce((sum, text3) => sum + 2 * text3.length + 32, 0);
}
function covers(window3, view) {
	return window3.start <= view.start && window3.end >= view.end;
}
var Store = class {
	constructor(span2, mostBytes = MOST_BYTES) {
		this.span = span2;
		this.mostBytes = mostBytes;
	}
	span;
	mostBytes;
	bytes = 0;
	/** Answers so far that held tracks from end to end. */
	wholes = 0;
	chunks = [];
	byTrack = /* @__PURE__ */ new Map();
	homes = /* @__PURE__ */ new Map();
	clock = 0;
	/** Takes an answer; gives how many tracks it held. */
	put(answer, asked3) {
		let slices = slicesOf(answer, asked3);
		if (!slices.size) return 0;
		let [first] = slices.values(), chunk = { slices, bytes: textBytes(first.names.text), used: ++this.clock };
		for (let [key, made3] of slices) {
			chunk.bytes += bytesOf(made3), this.homes.set(made3, chunk);
			let same3 = (old) => old.asked === asked3 && old.window.start === made3.window.start && old.window.end === made3.window.end, kept2 = (this.byTrack.get(key) ?? []).filter((old) => !same3(old) || !this.forget(key, old));
			this.byTrack.set(
				key,
				[...kept2, made3].sort((a, b) => b.resolution - a.resolution)
			);
		}
		return covers(first.window, this.span) && this.wholes++, this.chunks.push(chunk), this.bytes += chunk.bytes, this.trim(), slices.size;
	}
	/** Takes a track out of the answer that held it. */
	forget(key, slices) {
		let chunk = this.homes.get(slices), bytes2 = bytesOf(slices);
		return this.homes.delete(slices), chunk?.slices.delete(key), chunk && (chunk.bytes -= bytes2), this.bytes -= bytes2, !0;
	}
	/** Drops what was used longest ago; never what came first, which is the whole capture, nor what came last. */
	trim() {
		for (; this.bytes > this.mostBytes && this.chunks.length > 2; ) {
			let oldest = this.chunks.slice(1, -1).reduce((a, b) => b.used < a.used ? b : a);
			this.chunks.splice(this.chunks.indexOf(oldest), 1), this.bytes -= oldest.bytes;
			for (let [key, slices] of oldest.slices) {
				this.homes.delete(slices);
				let left2 = (this.byTrack.get(key) ?? []).filter((other) => other !== slices);
				left2.length ? this.byTrack.set(key, left2) : this.byTrack.delete(key);
			}
		}
	}
	/** A track from end to end of the capture, as coarse as it is here; null when it is not. */
	whole(key) {
		return this.byTrack.get(key)?.find(({ window: window3 }) => covers(window3, this.span)) ?? null;
	}
	/** What there is to draw of a track in a view, coarse first, as fine as `resolution` where that is here. */
	layers(key, view, resolution = 0) {
		let all = this.byTrack.get(key);
		if (!all) return [];
		let drawn = this.drawn(all, view, resolution);
		this.clock++;
		for (let slices of [all[0], ...drawn]) this.homes.get(slices).used = this.clock;
		return drawn;
	}
	drawn(all, view, resolution) {
		let clipped2 = this.clipped(view), enough = all.find((s) => covers(s.window, clipped2) && (s.exact || s.asked <= resolution));
		if (enough) return [enough];
		let here2 = all.filter(({ window: window3 }) => window3.start < view.end && window3.end > view.start), visible3 = here2.filter(({ window: window3 }, i) => {
			let seen = { start: Math.max(window3.start, clipped2.start), end: Math.min(window3.end, clipped2.end) };
			return !here2.some((finer, j) => j > i && covers(finer.window, seen));
		});
		return visible3.length > LAYERS_MAX ? [visible3[0], ...visible3.slice(1 - LAYERS_MAX)] : visible3;
	}
	clipped({ start, end }) {
		return { start: Math.max(start, this.span.start), end: Math.min(end, this.span.end) };
	}
	/** Whether a view of a track can be drawn as finely as the screen is. */
	has(key, view, resolution) {
		let clipped2 = this.clipped(view);
		return (this.byTrack.get(key) ?? []).some((s) => covers(s.window, clipped2) && (s.exact || s.asked <= resolution));
	}
	/** One request for what the view lacks of these tracks, of very many for the first; null when nothing is missing. */
	missing(tracks, view, width) {
		let wanted3 = resolutionOf(view, width), lacking = tracks.filter((track) => track.events && !this.has(track.key, view, wanted3));
		if (!lacking.length || width < 1) return null;
		let margin = MARGIN2 * length(view), grid = GRID * wanted3, start = Math.max(Math.floor((view.start - margin) / grid) * grid, Math.floor(this.span.start)), end = Math.min(Math.ceil((view.end + margin) / grid) * grid, Math.ceil(this.span.end)), window3 = { start, end: Math.max(end, start + 1) }, pixels2 = Math.max(1, Math.min(WIDTH_MAX, Math.floor(length(window3) / wanted3)));
		return { options: {
			start_ps: String(window3.start),
			end_ps: String(window3.end),
			width: String(pixels2),
			tracks: ranges(askable(lacking))
		}, asked: wanted3 };
	}
	/**
	 * What the view may need next, the likeliest first: tracks above and below (`near`), what lies closer, beside, around.
	 * To be asked for one at a time, while nothing is missing.
	 */
	ahead(tracks, near2, view, width) {
		let views = [
			zoomed2(view, 0.5, 0.5, this.span),
			panned(view, BESIDE, this.span),
			panned(view, -BESIDE, this.span),
			zoomed2(view, 3, 0.5, this.span)
		], requests = [this.missing(near2, view, width), ...views.map((next2) => this.missing(tracks, next2, width))], found = /* @__PURE__ */ new Map();
		for (let request of requests) request && found.set(JSON.stringify(request.options), request);
		return [...found.values()];
	}
};

// src/timeline/compare.ts
function sidesOf({ a, b }, steps) {
	let side = (view) => ({
		view,
		step: steps.find(({ start, end }) => start === view.start && end === view.end) ?? null
	});
	return [side(a), side(b)];
}
function sideInWords({ view, step }) {
	return step ? `step ${step.number}` : formatNumber(length(view), "ps");
}
function tracksOf([a, b], tracks, isMany) {
	let host2 = a.step?.host;
	return !isMany || host2 === void 0 || host2 !== b.step?.host ? [] : [...tracks].filter((track) => track.host === host2 && track.kind !== "derived" && !isOfValues(track));
}
function compareOptions(sides, tracks, isMany) {
	let [a, b] = sides.map(({ view }) => [
		Math.floor(view.start),
		Math.max(Math.floor(view.start) + 1, Math.ceil(view.end))
	]), on = ranges(tracksOf(sides, tracks, isMany));
	return {
		area: "true",
		start_ps: String(a[0]),
		end_ps: String(a[1]),
		compare: b.join("-"),
		...on ? { tracks: on } : {}
	};
}
var [SAID2, LEAST_SHARE] = [3, 5e-3];
function signed(ps2) {
	return `${ps2 < 0 ? "−" : "+"}${formatNumber(Math.abs(ps2), "ps")}`;
}
function differenceInWords(sides, { columns }, titleOf2) {
	let [a, b] = sides.map(({ view }) => length(view)), [first, second] = sides.map(sideInWords), by = b - a, head = by ? `${second} takes ${formatNumber(Math.abs(by), "ps")} ${by > 0 ? "more" : "less"} than ${first}` : `${second} takes as long as ${first}`, number3 = (cell) => typeof cell == "number" ? cell : 0, said4 = (columns.category ?? []).map((key, row) => ({ title: titleOf2(String(key)), more: number3(columns.more_ps?.[row]) })).filter(({ more }) => Math.abs(more) >= LEAST_SHARE * Math.max(a, b)).sort((one, other) => Math.abs(other.more) - Math.abs(one.more)).slice(0, SAID2).map(({ title, more }) => `${title} ${signed(more)}`), all = `${head}${said4.length ? `. Sum over all tracks: ${said4.join(", ")}` : ""}.`;
	return all.charAt(0).toUpperCase() + all.slice(1);
}
function typicalStep(steps, but) {
	let sorted = steps.filter((step) => step !== but && step.host === but.host).sort((a, b) => a.end - a.start - (b.end - b.start));
	return sorted[sorted.length >> 1] ?? null;
}
function compareText({ a, b }) {
	return [a, b].map(({ start, end }) => `${Math.round(start)}-${Math.round(end)}`).join(",");
}

// src/timeline/find.ts
var NO_FIND = { text: "", match: "text", in: "names" }, UNSAID = ["start_ms", "start_ps", "steps_from"], UNIT3 = /_(?:ps|ns|us|ms|s|bytes)$/;
function rowInWords2(text3) {
	let [, column = text3, words4 = ""] = /^[^?]*\.([^.?]*)(?:\?(.*))?$/s.exec(text3) ?? [], all = [...new URLSearchParams(words4)].filter(([, value]) => value), told = all.filter(([name]) => !UNSAID.includes(name)), said4 = (told.length ? told : all).map(([name, value]) => /name$/.test(name) ? value : `${name} ${value}`);
	return [column.replace(UNIT3, "").replaceAll("_", " "), ...said4].join(" · ");
}
function findOptions(find2, only, offset, within = null) {
	let { text: text3, match } = find2;
	return {
		...(within && { start_ps: String(Math.floor(within.start)), end_ps: String(Math.ceil(within.end)) }) ?? {},
		search: text3,
		offset: String(offset),
		...match === "text" ? {} : { match },
		...find2.in === "names" ? {} : { in: find2.in },
		...only ? { tracks: only } : {}
	};
}
function pageOf(answer, first) {
	return {
		total: Number(answer.summary.hit_count ?? 0),
		said: String(answer.summary.hit_text ?? ""),
		first,
		hits: rowsOf2(answer, "hits", placeOfRow),
		names: rowsOf2(answer, "hit_names", (at, row) => ({
			name: String(at("name", row) ?? ""),
			hits: Number(at("hits", row) ?? 0),
			total: Number(at("total_ps", row) ?? 0)
		})),
		tracks: rowsOf2(answer, "hit_tracks", (at, row) => ({
			key: keyOf2(String(at("host", row)), Number(at("track", row))),
			hits: Number(at("hits", row) ?? 0)
		})).sort((a, b) => b.hits - a.hits)
	};
}
var CUT = "…";
function ends(name) {
	let at = name.indexOf(CUT);
	return at < 0 ? [name, name] : [name.slice(0, at), name.slice(at + 1)];
}
function sameName(a, b) {
	if (a === b) return !0;
	if (!a.includes(CUT) && !b.includes(CUT)) return !1;
	let [[headA, tailA], [headB, tailB]] = [ends(a), ends(b)], [head, tail] = [Math.min(headA.length, headB.length), Math.min(tailA.length, tailB.length)];
	return headA.slice(0, head) === headB.slice(0, head) && tailA.slice(-tail || 1 / 0) === tailB.slice(-tail || 1 / 0);
}
function localMatcher({ text: text3, match, in: where }) {
	if (where === "args") return null;
	let folded = text3.toLowerCase();
	return match === "text" ? (name) => name.toLowerCase().includes(folded) : match === "exact" ? (name) => sameName(name, text3) : null;
}
function highlightOf(find2, page) {
	if (!find2.text || find2.match === "row") return null;
	let local = localMatcher(find2);
	if (!local && !page) return null;
	let names = [...new Set(page ? [...page.names, ...page.hits].map(({ name }) => name) : [])], [found, cut] = [new Set(names), names.filter((name) => name.includes(CUT))], known3 = /* @__PURE__ */ new Map(), matches = (name) => local?.(name) || found.has(name) || (name.includes(CUT) ? names : cut).some((one) => sameName(name, one));
	return {
		matches(name) {
			let before = known3.get(name);
			if (before !== void 0) return before;
			let is = matches(name);
			return known3.set(name, is), is;
		}
	};
}
function stepped2(at, by, total2) {
	let next2 = at + by;
	return next2 < 0 ? total2 - 1 : next2 >= total2 ? 0 : next2;
}
function pageStart(at, size) {
	return size > 0 ? Math.floor(at / size) * size : 0;
}

// src/timeline/choices.ts
var NONE2 = {
	filter: "",
	busy: null,
	pin: [],
	hide: /* @__PURE__ */ new Set(),
	fold: /* @__PURE__ */ new Set(),
	unfold: /* @__PURE__ */ new Set(),
	compact: /* @__PURE__ */ new Set(),
	order: /* @__PURE__ */ new Map()
}, DEEP = 60;
function withKey(keys8, key, there) {
	let next2 = new Set(keys8);
	return there ? next2.add(key) : next2.delete(key), next2;
}
function isOpen({ fold, unfold }, key, atFirst) {
	return atFirst ? !fold.has(key) : unfold.has(key);
}
function withOpen(choices, key, open, atFirst) {
	return atFirst ? { ...choices, fold: withKey(choices.fold, key, !open) } : { ...choices, unfold: withKey(choices.unfold, key, open) };
}
function isCompact({ compact }, track) {
	return [track.lanes > DEEP, compact.has(track.key), compact.has(track.group)].filter(Boolean).length % 2 === 1;
}
function withPin(choices, key, there) {
	let pin = choices.pin.filter((other) => other !== key);
	return { ...choices, pin: there ? [...pin, key] : pin };
}
function withHidden(choices, key, there = !0) {
	return { ...choices, hide: withKey(choices.hide, key, there) };
}
function withCompact(choices, key) {
	return { ...choices, compact: withKey(choices.compact, key, !choices.compact.has(key)) };
}
function withOnly(choices, group2, key) {
	return {
		...choices,
		hide: /* @__PURE__ */ new Set([...choices.hide, ...group2.tracks.map((track) => track.key).filter((k) => k !== key)])
	};
}
function withMove(choices, key, before) {
	if (key === before) return choices;
	if (choices.pin.includes(key)) {
		let pin = choices.pin.filter((other) => other !== key), at = pin.indexOf(before);
		return { ...choices, pin: at < 0 ? [...pin, key] : [...pin.slice(0, at), key, ...pin.slice(at)] };
	}
	let order = new Map(choices.order);
	return order.delete(key), { ...choices, order: order.set(key, before) };
}
function restored({ fold, unfold, compact }) {
	return { ...NONE2, fold, unfold, compact };
}
function isRestored({ filter, busy, pin, hide, order }) {
	return !filter && !busy && !pin.length && !hide.size && !order.size;
}

// src/timeline/track_params.ts
var KEYS_MAX = 2e5, TRACKS = new RegExp(`^(.*):(${ROWS})$`);
function keysText(keys8) {
	let groups = [], hosts = /* @__PURE__ */ new Map();
	for (let key of keys8) {
		let [, host2, row] = /^(.*):(\d+)$/.exec(key) ?? [];
		host2 === void 0 || row === void 0 ? groups.push(key) : hosts.has(host2) ? hosts.get(host2).push(Number(row)) : hosts.set(host2, [Number(row)]);
	}
	let parts2 = [...hosts].map(([host2, rows]) => `${host2}:${rowsText2(rows)}`);
	return [...groups.sort(), ...parts2].join(",");
}
function keysOf(text3) {
	let keys8 = [];
	for (let part of (text3 ?? "").split(",").filter(Boolean)) {
		let [, host2, rows] = TRACKS.exec(part) ?? [];
		if (host2 === void 0 || rows === void 0) keys8.push(part);
		else for (let row of rowsOf3(rows, KEYS_MAX - keys8.length)) keys8.push(`${host2}:${row}`);
	}
	return keys8;
}
function choicesOf(params) {
	let [, start, end] = /^(-?\d+)-(-?\d+)$/.exec(params.busy ?? "") ?? [], order = (params.order ?? "").split(",").flatMap((move) => {
		let [key, before] = move.split("<");
		return key && before !== void 0 ? [[key, before]] : [];
	});
	return {
		...NONE2,
		filter: params.filter ?? "",
		busy: Number(end) > Number(start) ? { start: Number(start), end: Number(end) } : null,
		pin: keysOf(params.pin),
		hide: new Set(keysOf(params.hide)),
		fold: new Set(keysOf(params.fold)),
		unfold: new Set(keysOf(params.unfold)),
		compact: new Set(keysOf(params.compact)),
		order: new Map(order)
	};
}
function paramsOfChoices({ filter, busy, pin, hide, fold, unfold, compact, order }) {
	let all = {
		filter,
		busy: busy ? `${Math.floor(busy.start)}-${Math.ceil(busy.end)}` : "",
		pin: pin.join(","),
		hide: keysText(hide),
		fold: keysText(fold),
		unfold: keysText(unfold),
		compact: keysText(compact),
		order: [...order].map(([key, before]) => `${key}<${before}`).join(",")
	};
	return Object.fromEntries(Object.entries(all).filter(([, value]) => value));
}

// src/timeline/place.ts
function stretch2(text3, offset) {
	let [, from, to] = /^(-?\d+)-(-?\d+)$/.exec(text3 ?? "") ?? [], view = { start: Number(from ?? NaN) + offset, end: Number(to ?? NaN) + offset };
	return view.end >= view.start ? view : null;
}
function stretchText({ start, end }) {
	return `${Math.round(start)}-${Math.round(end)}`;
}
function decoded(text3) {
	try {
		return decodeURIComponent(text3);
	} catch {
		return text3;
	}
}
var MARK = new RegExp(`^([^:]*):(-?\\d+--?\\d+)(?:@(${ROWS}))?$`), MARK_TRACKS = 1e4;
function marksOf(text3, times) {
	return (text3 ?? "").split(",").flatMap((part) => {
		let [, host2 = "", stretched, rows] = MARK.exec(part) ?? [], view = stretch2(stretched, times.offsets.get(decoded(host2)) ?? 0), keys8 = rows ? rowsOf3(rows, MARK_TRACKS).map((row) => `${host2}:${row}`) : [];
		return view ? [{ ...view, tracks: keys8.flatMap((key) => times.track(key) ?? []) }] : [];
	});
}
function marksText(marks, { offsets }) {
	return marks.flatMap(({ start, end, tracks }) => {
		let hosts = [...new Set(tracks.map(({ host: host2 }) => host2))];
		return hosts.length ? hosts.map((host2) => {
			let offset = offsets.get(host2) ?? 0, rows = rowsText2(tracks.filter((track) => track.host === host2).map(({ row }) => row));
			return `${encodeURIComponent(host2)}:${stretchText({ start: start - offset, end: end - offset })}@${rows}`;
		}) : [`:${stretchText({ start, end })}`];
	}).join(",");
}
function areaOf2(text3, offset, times) {
	let [stretched, keys8] = (text3 ?? "").split("@"), view = stretch2(stretched, offset);
	return view && view.end > view.start ? { view, tracks: keysOf(keys8).flatMap((key) => times.track(key) ?? []) } : null;
}
function comparedOf(text3) {
	let [a, b] = (text3 ?? "").split(",").map((one) => stretch2(one, 0));
	return a && b && a.end > a.start && b.end > b.start ? { a, b } : null;
}
var MATCHES = ["text", "exact", "regex", "row"], WHERES = ["names", "args", "all"];
function findOf({ search: search2 = "", match, in: where, regex }) {
	return {
		text: search2,
		match: MATCHES.find((one) => one === match) ?? (regex === "true" ? "regex" : NO_FIND.match),
		in: WHERES.find((one) => one === where) ?? NO_FIND.in
	};
}
function placeOfParams(params, times) {
	let offset = times.offsets.get(params.clock ?? "") ?? 0, view = stretch2(`${params.start_ps}-${params.end_ps}`, offset), hasView = view !== null && view.end > view.start;
	return {
		view: hasView ? view : times.span,
		hasView,
		range: stretch2(params.range, offset),
		area: areaOf2(params.area, offset, times),
		marks: marksOf(params.marks, times),
		compared: comparedOf(params.compare),
		event: params.event ?? "",
		find: findOf(params),
		choices: choicesOf(params),
		colours: params.colours === "category" ? "category" : "name"
	};
}
function paramsOfPlace(place2, times) {
	let { view, range, area, marks, compared, event, find: find2, choices, colours: colours2 } = place2, isWhole = view.start === times.span.start && view.end === times.span.end, all = {
		start_ps: isWhole ? "" : String(Math.floor(view.start)),
		end_ps: isWhole ? "" : String(Math.ceil(view.end)),
		range: range ? stretchText(range) : "",
		area: area ? stretchText(area.view) + (area.tracks.length ? `@${ranges(area.tracks)}` : "") : "",
		marks: marksText(marks, times),
		compare: compared ? compareText(compared) : "",
		event,
		search: find2.text,
		match: find2.text && find2.match !== NO_FIND.match ? find2.match : "",
		in: find2.text && find2.in !== NO_FIND.in ? find2.in : "",
		colours: colours2 === "category" ? colours2 : "",
		...paramsOfChoices(choices)
	};
	return Object.fromEntries(Object.entries(all).filter(([, value]) => value));
}

// src/timeline/address.ts
var REST_MS = 300, MOTION_MS = 1e3;
function same(a, b) {
	return JSON.stringify(Object.entries(a).sort()) === JSON.stringify(Object.entries(b).sort());
}
function placeOf2(board, find2) {
	let { view, range, area, marks, compared, choices, colours: colours2, selected: selected2 } = board, event = selected2?.count === 1 ? keyOf2(selected2.track.host, selected2.row) : "";
	return { view, range, area, marks, compared, choices, colours: colours2, find: find2, event };
}
var ASKED2 = ["align"];
function acceptTracks(board, params) {
	let { area, marks, event, hasView } = placeOfParams(params, board);
	Object.assign(board, { area, marks }), event ? (!board.selected || event !== keyOf2(board.selected.track.host, board.selected.row)) && openEvent(board, event, !hasView) : board.choose(null), board.changed();
}
function accept(board, params, setFind) {
	let { view, find: find2, choices, range, colours: colours2, compared } = placeOfParams(params, board);
	Object.assign(board, { range, colours: colours2, compared }), board.setChoices(choices), board.look(view), setFind(find2), board.isListed && acceptTracks(board, params);
}
function useAddress({ selection, navigate }, board, find2, setFind) {
	let written = useRef(null), awaited = useRef(""), at = useRef(-1 / 0), moved4 = useRef(!1), settled = useRef(!1);
	useEffect(() => {
		let params = ownParams(selection.params);
		if (written.current && same(params, written.current) || (written.current = params, awaited.current = params.event ?? "", accept(board, params, setFind), board.isListed)) return;
		let end = board.subscribe(() => {
			board.isListed && (end(), acceptTracks(board, params));
		});
		return end;
	}, [board, selection.params]), useEffect(() => {
		let timer = 0, write2 = () => {
			if (board.isHeld || board.motion.isActive || !board.isListed) return later();
			let params = paramsOfPlace(placeOf2(board, find2), board);
			for (let name of ASKED2) written.current?.[name] && (params[name] = written.current[name]);
			board.selected && (awaited.current = ""), awaited.current && !params.event && (params.event = awaited.current);
			let old = written.current ?? {}, isFirst = !settled.current;
			if (settled.current = !0, same(params, old)) return;
			let now = performance.now(), moves = onlyView(params, old), how = isFirst || moves && moved4.current && now - at.current < MOTION_MS ? "replace" : "push";
			[at.current, moved4.current] = [now, moves], written.current = params, navigate({ params }, how);
		}, later = () => {
			clearTimeout(timer), timer = window.setTimeout(write2, REST_MS);
		}, end = board.subscribe(later);
		return later(), () => {
			end(), clearTimeout(timer);
		};
	}, [board, find2, navigate]);
}
function onlyView(a, b) {
	let moving = ["start_ps", "end_ps", "search"];
	return [.../* @__PURE__ */ new Set([...Object.keys(a), ...Object.keys(b)])].every(
		(name) => moving.includes(name) || a[name] === b[name]
	);
}

// src/timeline/busy.ts
var TRACKS2 = 2e3;
async function busyTracks(ask2, tracks, view) {
	let busy = /* @__PURE__ */ new Set(), left2 = [...tracks];
	for (; left2.length; ) {
		let now = askable(left2.slice(0, TRACKS2)), [start_ps, end_ps] = [String(Math.floor(view.start)), String(Math.ceil(view.end))], answer = await ask2({ start_ps, end_ps, width: "1", tracks: ranges(now) }), { host: host2 = [], track = [], shown: shown3 = [], merged = [] } = answer.tables.window_tracks?.columns ?? {}, answered = /* @__PURE__ */ new Set();
		for (let i = 0; i < track.length; i++) {
			let key = keyOf2(String(host2[i]), Number(track[i]));
			answered.add(key), Number(shown3[i]) + Number(merged[i]) > 0 && busy.add(key);
		}
		if (!answered.size) return busy;
		left2 = left2.filter((one) => !answered.has(one.key));
	}
	return busy;
}

// src/timeline/follow.ts
function same2(a, b) {
	return a.length === b.length && a.every((value, i) => Object.is(value, b[i]));
}
function useFollow(board, pick) {
	let [, again] = useState(0), shown3 = useRef([]);
	shown3.current = pick(board);
	let latest = useRef(pick);
	latest.current = pick, useEffect(
		() => board.subscribe(() => {
			same2(latest.current(board), shown3.current) || again((n) => n + 1);
		}),
		[board]
	);
}
function useFrame(board, paint3) {
	let latest = useRef(paint3);
	latest.current = paint3, useLayoutEffect(() => latest.current()), useEffect(() => board.subscribe(() => latest.current()), [board]);
}

// src/timeline/clocks.tsx
function clocksOf({ tables }) {
	let { host: host2 = [], clock = [], clock_ps = [], clock_error_ps = [] } = tables.hosts?.columns ?? {}, number3 = (cell) => typeof cell == "number" ? cell : null;
	return [...host2].map((name, i) => ({
		host: String(name),
		ahead: number3(clock_ps[i]),
		error: number3(clock_error_ps[i]),
		words: String(clock[i] ?? "")
	}));
}
function isOff(clocks) {
	return clocks.some(({ ahead, error }) => ahead !== null && Math.abs(ahead) > (error ?? 1 / 0));
}
function Said({ host: host2, ahead, error, words: words4 }) {
	return jsxs("li", { children: [
		jsx("span", { class: "name", children: host2 }),
		" ",
		ahead !== null && error !== null && jsxs("b", { children: [
			ahead < 0 ? "−" : "+",
			formatNumber(Math.abs(ahead), "ps"),
			" ± ",
			formatNumber(error, "ps")
		] }),
		" ",
		jsx("span", { class: "soft", children: words4 })
	] });
}
function Clocks({ board, page: { selection, navigate } }) {
	useFollow(board, ({ clocks: clocks2 }) => [clocks2]);
	let { clocks } = board;
	if (clocks.length < 2) return null;
	let { align, ...others } = selection.params, isAligned = align === "collectives", canAlign = isAligned || clocks.slice(1).some(({ ahead }) => ahead !== null), toggle = () => navigate({ params: isAligned ? others : { ...others, align: "collectives" } });
	return jsx(
		Popover,
		{
			label: "Clocks of the hosts",
			class: "right trace-clocks",
			button: isAligned ? "Clocks corrected" : isOff(clocks) ? "Clocks differ" : "Clocks",
			children: () => jsxs(Fragment2, { children: [
				jsx("p", { children: "Each host is drawn by its own clock. Offsets estimated from collectives:" }),
				jsx("ul", { children: clocks.map((clock) => jsx(Said, { ...clock }, clock.host)) }),
				canAlign ? jsx("p", { children: jsxs("label", { children: [
					jsx("input", { type: "checkbox", checked: isAligned, onChange: toggle }),
					" Correct the clocks by these offsets"
				] }) }) : jsx("p", { children: "The offsets are unknown; the clocks are not corrected." })
			] })
		}
	);
}

// src/timeline/feed.ts
var PAUSE_MS = 120, REST_MS2 = 40, AHEAD_MS = 250, PATIENCE_MS2 = 100, RETRY_MS2 = 5e3, FACTOR = 4, Feed = class {
	constructor(wants) {
		this.wants = wants;
	}
	wants;
	loading = !1;
	error = null;
	flight = null;
	/** A question that failed is not asked again before something changed. */
	failed = "";
	timer = 0;
	patience = 0;
	retry = 0;
	asked = -1 / 0;
	moved = -1 / 0;
	tried = /* @__PURE__ */ new Set();
	/** Something moved: ask soon. */
	want(now = performance.now()) {
		this.moved = now, this.tried.clear(), this.soon(now);
	}
	soon(now = performance.now()) {
		let due = Math.max(REST_MS2, this.asked + PAUSE_MS - now);
		this.timer || (this.timer = window.setTimeout(() => this.request(), due));
	}
	dispose() {
		clearTimeout(this.timer), clearTimeout(this.patience), clearTimeout(this.retry), this.flight?.abort.abort();
	}
	request() {
		this.timer = 0;
		let request = this.wants.missing();
		if (!request) return this.rest();
		let key = JSON.stringify(request.options);
		key === this.failed || this.flight && (key === this.flight.key || this.isOfUse(this.flight)) || (this.flight?.abort.abort(), this.send(request, key, !1));
	}
	/** Nothing is lacking. */
	rest() {
		this.flight && !this.flight.ahead && (this.flight.abort.abort(), this.flight = null), (this.loading || this.error) && this.settle(null);
		let now = performance.now();
		if (this.flight) return;
		if (now < this.moved + AHEAD_MS) {
			this.timer = window.setTimeout(() => this.request(), this.moved + AHEAD_MS - now);
			return;
		}
		let next2 = this.wants.ahead().find((request) => !this.tried.has(JSON.stringify(request.options)));
		next2 && this.send(next2, JSON.stringify(next2.options), !0);
	}
	/** Whether what is on its way still belongs to what is looked at; when it came, the rest is asked for. */
	isOfUse({ window: { start, end }, view: old, ahead }) {
		if (ahead) return !1;
		let view = this.wants.view(), finer = length(old) / length(view);
		return start < view.end && end > view.start && finer < FACTOR && finer > 1 / FACTOR;
	}
	async send(request, key, ahead) {
		let abort = new AbortController(), { start_ps, end_ps } = request.options, span2 = { start: Number(start_ps), end: Number(end_ps) };
		this.flight = { key, window: span2, view: this.wants.view(), abort, ahead }, ahead ? this.tried.add(key) : (this.asked = performance.now(), this.failed = "", this.patience ||= window.setTimeout(() => this.say(!0), PATIENCE_MS2));
		try {
			let answer = await this.wants.ask(request, abort.signal);
			if (abort.signal.aborted) return;
			this.flight = null, !this.wants.receive(answer, request) && !ahead && (this.failed = key), ahead || this.settle(null), this.soon();
		} catch (reason) {
			if (abort.signal.aborted || (this.flight = null, ahead)) return;
			this.failed = key, this.settle(asApiError(reason)), clearTimeout(this.retry), this.error?.kind === "unreachable" && (this.retry = window.setTimeout(() => this.again(key), RETRY_MS2));
		}
	}
	again(key) {
		this.failed === key && (this.failed = "", this.want());
	}
	settle(error) {
		clearTimeout(this.patience), this.patience = 0, this.error = error, this.say(!1);
	}
	say(loading) {
		this.loading = loading, this.wants.changed();
	}
};

// src/timeline/motion.ts
var PAN_STEP = 0.12, ZOOM_STEP2 = Math.log(1.35), GLIDE_MS = 45, HELD_MS = 160, FULL_MS = 900, RATE = { pan: [0.7, 2.6], zoom: [1.6, 4.5] }, OVER = 4e-4, FRAME_MAX_MS = 100, SAME = 1e-3;
function placeOf3(time2, view) {
	return (time2 - view.start) / length(view);
}
var Motion = class {
	/** `glides` false: everything happens at once, as those want it who asked their system for less motion. */
	constructor(glides = !0) {
		this.glides = glides;
	}
	glides;
	held = /* @__PURE__ */ new Map();
	pan = 0;
	zoom = 0;
	share = 0.5;
	last = 0;
	anchor = null;
	get isActive() {
		return this.held.size > 0 || this.pan !== 0 || this.zoom !== 0;
	}
	press(way, now, share) {
		this.held.has(way) || (this.begin(now), this.held.set(way, { since: now }), this.add(way, 1, share));
	}
	release(way) {
		this.held.delete(way);
	}
	/** All keys are up: their release may have gone elsewhere. */
	stop() {
		this.held.clear();
	}
	/** Zooms by a factor around a share of the width, soon. */
	zoomBy(factor, share, now) {
		this.begin(now), this.share = share, this.zoom += Math.log(factor);
	}
	panBy(share, now) {
		this.begin(now), this.pan += share;
	}
	/** The view after the time since the frame before. */
	advance(view, span2, now) {
		let passed = Math.min(Math.max(now - this.last, 0), FRAME_MAX_MS);
		this.last = now;
		for (let [way, { since }] of this.held) {
			let kind = way === "in" || way === "out" ? "zoom" : "pan", [slow, fast] = RATE[kind], grown = Math.min(Math.max((now - since - HELD_MS) / FULL_MS, 0), 1), rate = now - since < HELD_MS ? 0 : slow + (fast - slow) * grown;
			this.add(way, rate * passed / 1e3 / (kind === "zoom" ? ZOOM_STEP2 : PAN_STEP), this.share);
		}
		let part = this.glides ? 1 - Math.exp(-passed / GLIDE_MS) : 1, zoom = this.take("zoom", part), pan = this.take("pan", part), next2 = zoom ? this.zoomed(view, Math.exp(zoom), span2) : view;
		return pan ? panned(next2, pan, span2) : next2;
	}
	zoomed(view, factor, span2) {
		let { anchor, share } = this, time2 = anchor && anchor.share === share && anchor.view.start === view.start && Math.abs(placeOf3(anchor.time, view) - share) < SAME ? anchor.time : timeAt(view, share), next2 = zoomed2(view, factor, share, span2, time2);
		return this.anchor = { time: time2, share, view: next2 }, next2;
	}
	begin(now) {
		this.isActive || (this.last = now);
	}
	add(way, steps, share) {
		this.share = share, way === "in" ? this.zoom -= steps * ZOOM_STEP2 : way === "out" ? this.zoom += steps * ZOOM_STEP2 : this.pan += (way === "left" ? -steps : steps) * PAN_STEP;
	}
	take(kind, part) {
		let left2 = this[kind], taken = Math.abs(left2 * (1 - part)) < OVER ? left2 : left2 * part;
		return this[kind] = left2 - taken, taken;
	}
};

// src/timeline/scene.ts
var RULER = 24, REACH = 2;
function layersOf({ store, view, width }, key) {
	return store.layers(key, view, resolutionOf(view, width));
}
function sliceAt(slices, index, track, depth) {
	return {
		track,
		depth,
		start: slices.window.start + slices.start[index],
		duration: slices.duration[index],
		idle: slices.idle[index],
		name: slices.names.text[slices.name[index]] ?? "",
		count: slices.count[index],
		row: slices.row[index]
	};
}
function firstAfter(slices, depth, time2) {
	let low = slices.lanes[depth] ?? slices.start.length, end = slices.lanes[depth + 1] ?? low, high = end;
	for (; low < high; ) {
		let middle3 = low + high >> 1;
		slices.start[middle3] + slices.duration[middle3] < time2 ? low = middle3 + 1 : high = middle3;
	}
	return [low, end];
}
function nearest(slices, track, depth, time2, reach) {
	let at = time2 - slices.window.start, best = null, away = reach, [first, end] = firstAfter(slices, depth, at - reach);
	for (let i = first; i < end && slices.start[i] <= at + reach; i++) {
		let distance = Math.max(slices.start[i] - at, at - slices.start[i] - slices.duration[i], 0);
		distance > away || best && distance === away || (away = distance, best = sliceAt(slices, i, track, depth));
	}
	return best;
}
function laneAt({ layout: layout3, scroll }, y) {
	let at = y < RULER ? null : rowAt2(layout3, scroll, y - RULER);
	if (!at?.row.track) return null;
	let { track, lane } = at.row, depth = Math.floor((y - RULER - at.y - 6 / 2) / lane);
	return depth >= 0 && depth < track.lanes ? { track, depth } : null;
}
function hit(scene, x, y) {
	let lane = laneAt(scene, y);
	if (!lane || !scene.width) return null;
	let time2 = toTime(x, scene.view, scene.width), reach = toTime(x + REACH, scene.view, scene.width) - time2;
	for (let slices of layersOf(scene, lane.track.key).reverse())
		if (!(time2 < slices.window.start || time2 > slices.window.end))
			return nearest(slices, lane.track, lane.depth, time2, reach);
	return null;
}
function neighbour(scene, of, step) {
	for (let slices of layersOf(scene, of.track.key).reverse()) {
		let begin = slices.lanes[of.depth] ?? 0, end = slices.lanes[of.depth + 1] ?? begin;
		for (let k = 0; k < end - begin; k++) {
			let i = step > 0 ? begin + k : end - 1 - k, start = slices.window.start + slices.start[i];
			if (step > 0 ? start > of.start || start === of.start && slices.row[i] > of.row : start < of.start)
				return sliceAt(slices, i, of.track, of.depth);
		}
	}
	return null;
}

// src/timeline/steps.ts
function stepsOf2(answer) {
	let { host: host2 = [], number: number3 = [], name = [], start_ps = [], duration_ps = [] } = answer.tables.steps?.columns ?? {}, steps = [];
	for (let i = 0; i < start_ps.length; i++) {
		let start = Number(start_ps[i]), end = start + Number(duration_ps[i]);
		steps.push({ host: String(host2[i]), number: Number(number3[i]), name: String(name[i] ?? ""), start, end });
	}
	return steps.sort((a, b) => a.start - b.start || a.end - b.end);
}
function foundBy({ summary: summary3, findings }) {
	let text3 = (name) => String(summary3[name] ?? ""), [rule, sure] = [text3("step_rule_title"), text3("step_confidence")];
	if (!rule) return null;
	let isGuess = sure === "guess", note = findings.find(({ title }) => isGuess && title.includes(text3("step_evidence")));
	return { by: `from: ${rule}${sure && sure !== "certain" ? ` (${sure})` : ""}`, more: note?.title ?? text3("step_evidence"), isGuess };
}
function placeAmong(steps, view) {
	let same3 = steps.findIndex((step) => step.start === view.start && step.end === view.end);
	if (same3 >= 0) return same3;
	let middle3 = (view.start + view.end) / 2, around3 = steps.findIndex((step) => step.start <= middle3 && middle3 < step.end);
	return around3 >= 0 ? around3 : steps.filter((step) => step.start <= middle3).length - 0.5;
}
function stepsOfHost(steps, chosen2) {
	let host2 = steps.some((step) => step.host === chosen2) ? chosen2 : steps[0]?.host;
	return steps.filter((step) => step.host === host2);
}
function stepBeside(steps, view, by) {
	let held = steps.filter(({ start, end }) => start >= view.start && end <= view.end);
	if (held.length > 1) return held[by > 0 ? 0 : held.length - 1];
	let at = placeAmong(steps, view);
	return steps[by > 0 ? Math.floor(at) + 1 : Math.ceil(at) - 1] ?? null;
}

// src/timeline/pattern.ts
var PatternError = class extends Error {
}, ESCAPE = /\\(?:[pP]\{[^}]*\}|u\{[^}]*\}|u[dD][89abAB]..\\u[dD][c-fC-F]..|u.{4}|x..|c.|[^])/uy, CLASS = /\[(?:\\[^]|[^\]\\])*\]/uy, GROUP = /\((?:\?(?::|<[^=!>][^>]*>))?/uy, REPEAT = /(?:[*+?]|\{(\d+)(,?)(\d*)\})\??/uy, ANY = /[^]/uy, Parser = class {
	constructor(text3) {
		this.text = text3;
	}
	text;
	at = 0;
	whole() {
		let parts2 = [this.sequence()];
		for (; this.take("|"); ) parts2.push(this.sequence());
		return { kind: "any", parts: parts2 };
	}
	sequence() {
		let parts2 = [];
		for (; this.at < this.text.length && !"|)".includes(this.text[this.at]); ) parts2.push(this.repeated(this.one()));
		return { kind: "all", parts: parts2 };
	}
	repeated(part) {
		let found = this.match(REPEAT);
		if (!found) return part;
		let [text3, least, comma, most] = found;
		if (least !== void 0) {
			let open = comma ? 1 / 0 : Number(least);
			return { kind: "repeat", part, least: Number(least), most: most ? Number(most) : open };
		}
		return { kind: "repeat", part, least: text3.startsWith("+") ? 1 : 0, most: text3.startsWith("?") ? 1 : 1 / 0 };
	}
	one() {
		if (this.text[this.at] === "(") return this.group();
		for (let edge of ["^", "$", "\\b", "\\B"]) if (this.take(edge)) return { kind: "edge", of: edge };
		let [source] = this.match(ESCAPE) ?? this.match(CLASS) ?? this.match(ANY);
		if (/^\\[1-9k]/.test(source)) throw new PatternError("Back-references are not supported.");
		let single = new RegExp(`^${source}$`, "iu");
		return { kind: "character", is: (character) => single.test(character) };
	}
	group() {
		let [opening] = this.match(GROUP);
		if (opening === "(" && this.text[this.at] === "?")
			throw new PatternError("Look-ahead, look-behind and inline flags are not supported.");
		let inside2 = this.whole();
		return this.take(")"), inside2;
	}
	take(text3) {
		let is = this.text.startsWith(text3, this.at);
		return is && (this.at += text3.length), is;
	}
	match(pattern) {
		pattern.lastIndex = this.at;
		let found = pattern.exec(this.text);
		return found && (this.at += found[0].length), found;
	}
};
function emit(program, node) {
	if (program.length > 1e3) throw new PatternError("The expression repeats too much.");
	if (node.kind === "character" || node.kind === "edge") program.push(node);
	else if (node.kind === "all") for (let part of node.parts) emit(program, part);
	else node.kind === "any" ? emitAny(program, node.parts) : emitRepeat(program, node.part, node.least, node.most);
}
function emitAny(program, parts2) {
	if (parts2.length === 1) return emit(program, parts2[0]);
	let fork = { kind: "ways", to: [] }, ends2 = [];
	program.push(fork);
	for (let part of parts2) {
		fork.to.push(program.length), emit(program, part);
		let to = [];
		ends2.push(to), program.push({ kind: "ways", to });
	}
	for (let to of ends2) to.push(program.length);
}
function emitRepeat(program, part, least, most) {
	for (let i = 0; i < least; i++) emit(program, part);
	if (most === 1 / 0) {
		let fork = { kind: "ways", to: [program.length + 1] }, at = program.push(fork) - 1;
		emit(program, part), fork.to.push(program.push({ kind: "ways", to: [at] }));
		return;
	}
	let forks = [];
	for (let i = least; i < most; i++) {
		let to = [program.length + 1];
		forks.push(to), program.push({ kind: "ways", to }), emit(program, part);
	}
	for (let to of forks) to.push(program.length);
}
var WORD = /\w/iu;
function sideOf(character) {
	return WORD.test(character) ? "word" : "other";
}
function isAt(edge, before, after) {
	return edge === "^" ? before === "end" : edge === "$" ? after === "end" : before === "word" != (after === "word") == (edge === "\\b");
}
function reached(program, { places, before }, after) {
	let seen = /* @__PURE__ */ new Set(), left2 = [...places];
	for (let at = left2.pop(); at !== void 0; at = left2.pop()) {
		if (seen.has(at)) continue;
		seen.add(at);
		let place2 = program[at];
		if (place2.kind === "end") return null;
		place2.kind === "ways" ? left2.push(...place2.to) : place2.kind === "edge" && isAt(place2.of, before, after) && left2.push(at + 1);
	}
	return [...seen];
}
var Automaton = class {
	constructor(program) {
		this.program = program;
	}
	program;
	states = /* @__PURE__ */ new Map();
	steps = 0;
	matches(text3) {
		let state = this.state([0], "end");
		for (let character of text3) {
			let known3 = state.next.get(character), next2 = known3 === void 0 ? this.step(state, character) : known3;
			if (!next2) return !0;
			state = next2;
		}
		return state.ends ??= reached(this.program, state, "end") === null;
	}
	/** The state after a character; null where the expression is found before it. */
	step(state, character) {
		let side = sideOf(character), passed = reached(this.program, state, side)?.flatMap((at) => {
			let place2 = this.program[at];
			return place2.kind === "character" && place2.is(character) ? [at + 1] : [];
		}), next2 = passed ? this.state(
			[.../* @__PURE__ */ new Set([0, ...passed])].sort((a, b) => a - b),
			side
		) : null;
		return ++this.steps <= 5e4 && state.next.set(character, next2), next2;
	}
	state(places, before) {
		(this.states.size > 1e3 || this.steps > 5e4) && ([this.states, this.steps] = [/* @__PURE__ */ new Map(), 0]);
		let key = `${before} ${places.join()}`, known3 = this.states.get(key);
		if (known3) return known3;
		let made3 = { places, before, next: /* @__PURE__ */ new Map(), ends: null };
		return this.states.set(key, made3), made3;
	}
};
function patternOf(text3) {
	if (text3.length > 200)
		throw new PatternError(`An expression of ${text3.length} characters; the limit is 200.`);
	try {
		new RegExp(text3, "iu");
	} catch (reason) {
		let [why] = String(reason).split(": ").slice(-1);
		throw new PatternError(`Not a regular expression: ${why}.`);
	}
	let program = [];
	emit(program, new Parser(text3).whole()), program.push({ kind: "end" });
	let automaton = new Automaton(program);
	return (name) => automaton.matches(name);
}

// src/timeline/filter.ts
var PATIENCE_MS3 = 1e3, STRIDE = 64, last = { text: "", pattern: null, why: "" };
function expressionOf(text3) {
	return /^\/(.+?)\/?$/s.exec(text3)?.[1] ?? null;
}
function compiled(text3) {
	if (last.text === text3) return last;
	try {
		last = { text: text3, pattern: patternOf(text3), why: "" };
	} catch (reason) {
		if (!(reason instanceof PatternError)) throw reason;
		last = { text: text3, pattern: null, why: reason.message };
	}
	return last;
}
function whyNoFilter(text3) {
	let expression = expressionOf(text3);
	return expression === null ? "" : compiled(expression).why;
}
function timed({ text: text3, pattern }, now) {
	let until = now() + PATIENCE_MS3, count = 0;
	return (name) => (++count % STRIDE === 0 && now() > until && (last = { text: text3, pattern: null, why: "The expression takes too long; use a simpler one." }), last.pattern === pattern ? pattern(name) : !0);
}
function filterOf(text3, now = () => performance.now()) {
	let expression = expressionOf(text3);
	if (expression !== null) return compiled(expression).pattern && timed(compiled(expression), now);
	let words4 = text3.toLowerCase().split(/\s+/).filter(Boolean);
	return (name) => {
		let lower = name.toLowerCase();
		return words4.every((word) => lower.includes(word));
	};
}

// src/timeline/arrange.ts
function ordered2(things, keyOf3, order) {
	let moved4 = things.filter((thing) => order.has(keyOf3(thing)));
	if (!moved4.length) return [...things];
	let byKey = new Map(moved4.map((thing) => [keyOf3(thing), thing])), found = [...things];
	for (let [key, before] of order) {
		let thing = byKey.get(key);
		if (thing === void 0) continue;
		found = found.filter((other) => other !== thing);
		let at = before ? found.findIndex((other) => keyOf3(other) === before) : -1;
		found.splice(at < 0 ? found.length : at, 0, thing);
	}
	return found;
}
function tracksOf2(group2, { choices, pinned, filter, busy }) {
	let { hide, order } = choices;
	if (hide.has(group2.key) || hide.has(groupKey(group2.host, ""))) return [];
	let about = `${group2.host} ${group2.process} ${group2.name} `, isKept = (track) => !hide.has(track.key) && !pinned.has(track.key) && (!busy || busy.has(track.key)) && (!filter || filter(about + track.name));
	return ordered2(group2.tracks.filter(isKept), (track) => track.key, order);
}
function arranged(groups, track, choices, busy) {
	let pinned = choices.pin.flatMap((key) => track(key) ?? []), filter = choices.filter ? filterOf(choices.filter) : null, kept2 = { choices, filter, busy: choices.busy && busy, pinned: new Set(pinned.map(({ key }) => key)) }, hosts = /* @__PURE__ */ new Map();
	for (let group2 of groups) {
		let tracks = tracksOf2(group2, kept2);
		if (!tracks.length) continue;
		let key = groupKey(group2.host, ""), host2 = hosts.get(key) ?? { host: group2.host, key, groups: [] };
		host2.groups.push({ group: group2, tracks }), hosts.set(key, host2);
	}
	let { order } = choices, inOrder = [...hosts.values()].map((host2) => ({
		...host2,
		groups: ordered2(host2.groups, ({ group: group2 }) => group2.key, order)
	})), isMany = groups.some((group2) => group2.host !== groups[0].host);
	return { pinned, hosts: ordered2(inOrder, (host2) => host2.key, order), isMany };
}
var OPEN_MAX = 300;
function closedAtFirst(groups) {
	let open = 0, closed = groups.filter((group2, i) => (open += group2.tracks.length) > OPEN_MAX && i > 0);
	return new Set(closed.map((group2) => group2.key));
}

// src/timeline/track_list.ts
var TrackList = class {
	/** In the order of their first tracks. */
	groups = [];
	/** How many tracks were listed, those without events among them. */
	listed = 0;
	/** How many of them hold events: others are not kept. */
	kept = 0;
	byKey = /* @__PURE__ */ new Map();
	tracks = /* @__PURE__ */ new Map();
	/** A page goes on where the one before ended: its first tracks may belong to a known group. */
	add({ columns }) {
		let text3 = (name, i) => String(columns[name]?.[i] ?? ""), number3 = (name, i) => Number(columns[name]?.[i] ?? 0), count = columns.track?.length ?? 0;
		for (let i = 0; i < count; i++) {
			let [host2, row, events] = [text3("host", i), number3("track", i), number3("events", i)], process = text3("process", i), group2 = this.group(host2, text3("group", i) || process || "(no name)", process, text3("process_kind", i)), key = keyOf2(host2, row), [name, kind] = [text3("name", i) || `track ${row}`, text3("kind", i)];
			if (!events && !isOfValues({ kind })) continue;
			let track = { key, host: host2, row, name, kind, lanes: number3("lanes", i), events, group: group2.key };
			group2.tracks.push(track), group2.events += events, this.tracks.set(key, track), this.kept++;
		}
		this.listed += count;
	}
	track(key) {
		return this.tracks.get(key) ?? null;
	}
	all() {
		return this.tracks.values();
	}
	group(host2, name, process, kind) {
		let key = groupKey(host2, name), group2 = this.byKey.get(key);
		return group2 || (group2 = { key, host: host2, name, process, kind, tracks: [], events: 0 }, this.byKey.set(key, group2), this.groups.push(group2)), group2.process !== process && (group2.process = ""), group2;
	}
};

// src/timeline/track_state.ts
var TrackState = class {
	list = new TrackList();
	choices = NONE2;
	layout;
	/** Keys of the tracks that are busy where the choices ask for such; null while that is not known. */
	busy = null;
	closed = /* @__PURE__ */ new Set();
	constructor() {
		this.layout = this.laid(1 / 0);
	}
	/** A further page of the table of tracks. */
	add(table) {
		table && this.list.add(table), this.closed = closedAtFirst(this.list.groups);
	}
	/** Lays the tracks out anew; pinned ones stay at the top as long as they are not higher than `pinnedMax`. */
	lay(pinnedMax) {
		this.layout = this.laid(pinnedMax);
	}
	isOpen(key) {
		return isOpen(this.choices, key, this.isOpenAtFirst(key));
	}
	/** The choices with one group or host open or closed. */
	withOpen(key, open, choices = this.choices) {
		return withOpen(choices, key, open, this.isOpenAtFirst(key));
	}
	/** The choices with all groups open or closed. */
	withAllOpen(open) {
		let keys8 = this.list.groups.map((group2) => group2.key), closed = keys8.filter((key) => this.closed.has(key)), fold = new Set(open ? [] : keys8);
		return { ...this.choices, fold, unfold: new Set(open ? closed : []) };
	}
	/** The choices that show a track: as they are but for what hides it. */
	withShown(track) {
		let keys8 = [track.group, groupKey(track.host, "")], choices = withHidden(this.choices, track.key, !1);
		for (let key of keys8)
			choices = withHidden(choices, key, !1), isOpen(choices, key, this.isOpenAtFirst(key)) || (choices = this.withOpen(key, !0, choices));
		if (this.shows(choices, track)) return choices;
		let all = { ...choices, filter: "", busy: null };
		return this.closed.has(track.group) ? withOpen(all, track.group, !0, !1) : all;
	}
	shows(choices, track) {
		return this.laid(1 / 0, choices).byTrack.has(track.key);
	}
	/** Of few that match, all are shown. */
	isOpenAtFirst(key) {
		return !this.closed.has(key) || !!this.choices.filter;
	}
	laid(pinnedMax, choices = this.choices) {
		let folds = {
			isOpen: (key) => isOpen(choices, key, this.isOpenAtFirst(key)),
			isCompact: (track) => isCompact(choices, track)
		}, tracks = arranged(this.list.groups, (key) => this.list.track(key), choices, this.busy);
		return layout2(tracks, folds, pinnedMax);
	}
};

// src/timeline/board.ts
var JUMP_SHARE = 0.2, JUMP_LEAST_PS = 2e5, FIT_SHARE = 0.8, PINNED_SHARE = 0.5, NEAR_SHARE = 1, STEPS_MS = 300, made2 = 0, Board = class {
	constructor(api, first, width) {
		this.api = api;
		let summary3 = first.summary;
		this.span = { start: Number(summary3.span_start_ps ?? 0), end: Number(summary3.span_end_ps ?? 1) }, this.origin = this.span.start, this.originNs = summary3.origin_ns === null ? null : String(summary3.origin_ns), this.shifts = String(summary3.shifts ?? ""), this.hostCount = first.hosts.length, this.trackCount = Number(summary3.track_count ?? 0);
		let { host: host2 = [], offset_ps = [] } = first.tables.hosts?.columns ?? {};
		this.offsets = new Map([...host2].map((name, i) => [String(name), Number(offset_ps[i])])), this.view = this.span, this.store = new Store(this.span), this.store.put(first, resolutionOf(this.span, width)), this.feed = this.feeding(), this.tracks.add(first.tables.tracks), this.lay(), this.listTracks(), setTimeout(() => {
			this.listSteps();
		}, STEPS_MS);
	}
	api;
	id = made2++;
	width = 0;
	height = 0;
	view;
	scroll = 0;
	hover = null;
	selected = null;
	range = null;
	area = null;
	marks = [];
	/** Two stretches of time that are compared. */
	compared = null;
	/** What the number of another page that is searched for was made of. */
	proof = null;
	/** Idle gaps of the area, while these are listed. */
	gaps = [];
	highlight = null;
	arrows = [];
	colours = "name";
	steps = [];
	clocks = [];
	/** How the steps were found; null where there are none, or nothing tells. */
	stepsFound = null;
	/** The server has told the steps, or that it cannot. */
	stepsKnown = !1;
	/** Key of a track → how many hits the search has on it. */
	hits = /* @__PURE__ */ new Map();
	/** Where the pointer is, as a share of the width: what zooms by key stays there. */
	pointer = null;
	/** The edge that the pointer snaps to. */
	guide = null;
	/** The pointer drags: what it changes is not what it will leave. */
	isHeld = !1;
	/** A drag of the pointer selects an area, and does not move the view. */
	selects = !1;
	span;
	origin;
	store;
	trackCount;
	hostCount;
	/** What is added to times that count from a host's own start. */
	offsets;
	motion = new Motion(!matchMedia("(prefers-reduced-motion: reduce)").matches);
	tracks = new TrackState();
	originNs;
	/** How the hosts' clocks were corrected. */
	shifts;
	feed;
	listeners = /* @__PURE__ */ new Set();
	life = new AbortController();
	/** Ends the question which tracks are busy: another one was asked. */
	busyAsked = null;
	frame = 0;
	listing = !0;
	get list() {
		return this.tracks.list;
	}
	get choices() {
		return this.tracks.choices;
	}
	get layout() {
		return this.tracks.layout;
	}
	get groups() {
		return this.tracks.list.groups;
	}
	/** All tracks are known: what names one finds it. */
	get isListed() {
		return !this.listing;
	}
	get loading() {
		return this.feed.loading;
	}
	get error() {
		return this.feed.error;
	}
	/** Height of the rows that scroll, on the screen. */
	get room() {
		return Math.max(0, this.height - RULER - this.layout.pinnedHeight);
	}
	/** Calls back, at most once a frame, after anything changed. */
	subscribe(listener) {
		return this.listeners.add(listener), () => this.listeners.delete(listener);
	}
	dispose() {
		this.life.abort(), this.busyAsked?.abort(), this.feed.dispose(), cancelAnimationFrame(this.frame), this.listeners.clear();
	}
	/** Options with the clock that all times of this timeline are of. */
	options(options2) {
		return this.originNs === null || this.hostCount < 2 ? options2 : { ...options2, origin_ns: this.originNs, ...this.shifts ? { shifts: this.shifts } : {} };
	}
	ask(options2, signal = this.life.signal) {
		return this.api.data(this.options(options2), signal);
	}
	/** Address of the same answer. */
	url(options2) {
		return this.api.url(this.options(options2));
	}
	/** Draws again with the next frame; what moves goes on then. */
	changed() {
		this.life.signal.aborted || (this.frame ||= requestAnimationFrame((now) => {
			this.frame = 0, this.motion.isActive && (this.hover = null, this.look(this.motion.advance(this.view, this.span, now)));
			for (let listener of this.listeners) listener();
		}));
	}
	resize(width, height) {
		if (width === this.width && height === this.height) return;
		let seen = this.selected && this.onScreen(this.selected.track, this.selected.depth);
		this.width = width, this.height = height, this.choices.pin.length && this.lay(), this.scrollTo(this.scroll), seen && this.selected && this.reveal(this.selected.track, this.selected.depth);
	}
	look(view) {
		this.view = clamped2(view, this.span), this.want();
	}
	zoom(factor, share = 0.5) {
		this.look(zoomed2(this.view, factor, share, this.span));
	}
	pan(share) {
		this.look(panned(this.view, share, this.span));
	}
	scrollTo(top) {
		this.scroll = Math.max(0, Math.min(top, this.layout.height - this.room)), this.want();
	}
	choose(slice) {
		this.selected = slice, this.changed();
	}
	/** Other tracks, or others of them open; a change of what "busy" is about asks which are. */
	setChoices(choices) {
		let { tracks } = this, { busy } = choices, isOther = busy?.start !== tracks.choices.busy?.start || busy?.end !== tracks.choices.busy?.end;
		tracks.choices = choices, isOther && (tracks.busy = null), isOther && this.busyAsked?.abort(), isOther && busy && this.findBusy(busy), this.lay();
	}
	toggle(key) {
		this.setChoices(this.tracks.withOpen(key, !this.tracks.isOpen(key)));
	}
	/** Opens or closes all groups. */
	openAll(open) {
		this.setChoices(this.tracks.withAllOpen(open));
	}
	/** Brings a track's lane onto the screen, whatever hides it. */
	reveal(track, depth) {
		this.layout.byTrack.has(track.key) || this.setChoices(this.tracks.withShown(track));
		let row = this.layout.byTrack.get(track.key);
		!row || row.pinned || this.onScreen(track, depth) || this.scrollTo(row.top + depth * row.lane - this.room / 3);
	}
	/** Whether a track's first lane is on the screen. */
	sees(track) {
		return this.onScreen(track, 0);
	}
	onScreen(track, depth) {
		let row = this.layout.byTrack.get(track.key);
		if (!row) return !1;
		let y = topOf(this.layout, row, this.scroll) + depth * row.lane;
		return y >= (row.pinned ? 0 : this.layout.pinnedHeight) && y + row.lane + 6 <= this.height - RULER;
	}
	/** Brings a slice onto the screen, large enough to be seen. */
	jump(slice) {
		this.hover = null;
		let end = slice.start + Math.max(slice.duration, JUMP_LEAST_PS), share = (end - slice.start) / (this.view.end - this.view.start);
		(!overlaps(this.view, slice.start, slice.start + Math.max(slice.duration, 1)) || share < 5e-3 || share > 1) && this.look(around2(slice.start, end, JUMP_SHARE, this.span)), this.reveal(slice.track, slice.depth);
	}
	/** Zoom to the area, the range, or the selected slice. */
	fit() {
		let { area, range, selected: selected2 } = this, view = area?.view ?? range;
		view ? this.look(area ? around2(view.start, view.end, FIT_SHARE, this.span) : view) : selected2 && this.look(around2(selected2.start, selected2.start + selected2.duration, FIT_SHARE, this.span));
	}
	track(key) {
		return this.list.track(key);
	}
	/** Ask, soon, for what the screen lacks. */
	want() {
		this.changed(), this.feed.want();
	}
	feeding() {
		let isShown4 = () => this.width > 0 && this.height > 0;
		return new Feed({
			missing: () => isShown4() ? this.store.missing(this.tracksWithin(0), this.view, this.width) : null,
			ahead: () => {
				let [tracks, near2] = [this.tracksWithin(0), this.tracksWithin(NEAR_SHARE)];
				return isShown4() ? this.store.ahead(tracks, near2, this.view, this.width) : [];
			},
			view: () => this.view,
			ask: ({ options: options2 }, signal) => this.api.columns(this.options(options2), signal),
			receive: (answer, { asked: asked3 }) => this.store.put(answer, asked3),
			changed: () => this.changed()
		});
	}
	/** Tracks on the screen, and on a share of its height above and below. */
	tracksWithin(share) {
		let [above, below] = [this.scroll - share * this.room, this.scroll + (1 + share) * this.room];
		return [...this.layout.pinned, ...rowsBetween(this.layout, above, below)].flatMap(({ track }) => track ?? []);
	}
	async findBusy(busy) {
		let { signal } = this.busyAsked = new AbortController(), found = await busyTracks((options2) => this.ask(options2, signal), [...this.list.all()], busy).catch(() => null);
		signal.aborted || (this.tracks.busy = found, this.lay());
	}
	async listSteps() {
		if (this.life.signal.aborted) return;
		let answer = await this.ask({ steps: "true" }).catch(() => null);
		this.life.signal.aborted || (this.stepsKnown = !0, answer && ([this.steps, this.clocks] = [stepsOf2(answer), clocksOf(answer)]), answer && (this.stepsFound = foundBy(answer)), this.changed());
	}
	/** The rest of the tracks, where one answer did not hold them all. */
	async listTracks() {
		for (; this.list.listed > 0 && this.list.listed < this.trackCount; ) {
			let before = this.list.listed, answer = await this.ask({ tracks_from: String(before) }).catch(() => null);
			if (this.life.signal.aborted) return;
			if (this.tracks.add(answer?.tables.tracks), this.lay(), this.list.listed === before) break;
		}
		this.listing = !1, this.changed();
	}
	lay() {
		this.tracks.lay(this.height ? PINNED_SHARE * (this.height - RULER) : 1 / 0), this.scrollTo(this.scroll);
	}
};

// src/timeline/inks.ts
var VARIABLES = ["panel", "sunken", "line", "text", "soft", "accent", "device", "host", "launch"];
function inksOfTheme() {
	let dark = document.documentElement.dataset.theme === "dark";
	return { ...Object.fromEntries(VARIABLES.map((name) => [name, colour(`--${name}`)])), wait: colour("--bad"), palette: new Palette(dark, colour) };
}

// src/timeline/snap.ts
var REACH2 = 7, CROWD = 40, Nearest = class {
	constructor(time2, away) {
		this.time = time2;
		this.away = away;
	}
	time;
	away;
	edge = null;
	offer(edge) {
		let distance = Math.abs(edge - this.time);
		distance > this.away || this.edge !== null && distance === this.away || (this.away = distance, this.edge = edge);
	}
};
function offerLane(slices, depth, time2, reach, nearest2) {
	let at = time2 - slices.window.start, [first, end] = firstAfter(slices, depth, at - reach);
	for (let i = first; i < Math.min(end, first + CROWD) && slices.start[i] <= at + reach; i++)
		slices.count[i] === 1 && (nearest2.offer(slices.window.start + slices.start[i]), nearest2.offer(slices.window.start + slices.start[i] + slices.duration[i]));
}
function offerTrack(scene, track, depths, time2, reach, to) {
	let slices = layersOf(scene, track.key).pop();
	if (slices) for (let depth of depths) offerLane(slices, depth, time2, reach, to);
}
function offerChosen({ selected: selected2, marks = [], steps = [] }, nearest2) {
	let known3 = [selected2 && { start: selected2.start, end: selected2.start + selected2.duration }, ...marks, ...steps];
	for (let one of known3)
		one && (nearest2.offer(one.start), nearest2.offer(one.end));
}
function edgeAt(scene, x, y) {
	if (!scene.width) return null;
	let time2 = toTime(x, scene.view, scene.width), reach = toTime(x + REACH2, scene.view, scene.width) - time2, nearest2 = new Nearest(time2, reach), lane = laneAt(scene, y);
	if (lane && offerTrack(scene, lane.track, [lane.depth], time2, reach, nearest2), nearest2.edge === null && offerChosen(scene, nearest2), nearest2.edge !== null) return nearest2.edge;
	for (let { row } of rowsOnScreen(scene.layout, scene.scroll, scene.height - RULER))
		row.track && offerTrack(scene, row.track, Array(row.track.lanes).keys(), time2, reach, nearest2);
	return nearest2.edge;
}

// src/timeline/pointer.ts
var CLICK_PX = 4, GRAB_PX = 5, REST_MS3 = 400;
function timeAt2(board, x) {
	return toTime(Math.min(Math.max(x, 0), board.width), board.view, board.width);
}
function edgeOrTime(board, { x, y }, free) {
	let edge = free ? null : edgeAt(board, x, y);
	return board.guide = edge, edge ?? timeAt2(board, x);
}
function ordered3(a, b) {
	return { start: Math.min(a, b), end: Math.max(a, b) };
}
function tracksBetween(board, a, b) {
	let [top, bottom] = [Math.min(a, b) - RULER, Math.max(a, b) - RULER], { pinnedHeight } = board.layout;
	return rowsOnScreen(board.layout, board.scroll, board.height - RULER).flatMap(({ row, y }) => {
		let from = row.pinned ? y : Math.max(y, pinnedHeight);
		return row.track && from < bottom && y + row.height > top ? [row.track] : [];
	});
}
function otherEnd({ range, view, width }, x) {
	return range ? Math.abs(toX(range.start, view, width) - x) <= GRAB_PX ? range.end : Math.abs(toX(range.end, view, width) - x) <= GRAB_PX ? range.start : null : null;
}
function begun(board, event) {
	let [x, y] = [event.offsetX, event.offsetY], at = { x, y, moved: !1, pointer: event.pointerId };
	return y < RULER ? { ...at, kind: "range", from: otherEnd(board, x) ?? edgeOrTime(board, at, event.altKey) } : event.button === 0 && event.shiftKey !== board.selects ? { ...at, kind: "area", from: edgeOrTime(board, at, event.altKey), scroll: board.scroll } : { ...at, kind: "pan", view: board.view, scroll: board.scroll };
}
function moved2(board, drag, at, free) {
	if (drag.kind === "pan") {
		board.look(panned(drag.view, (drag.x - at.x) / Math.max(1, board.width), board.span)), board.scrollTo(drag.scroll + drag.y - at.y);
		return;
	}
	let view = ordered3(drag.from, edgeOrTime(board, at, free));
	drag.kind === "range" ? board.range = view : board.area = { view, tracks: tracksBetween(board, drag.y + drag.scroll - board.scroll, at.y) }, board.changed();
}
function clicked(board, { kind, x, y }) {
	if (kind === "range" && (board.range = null), y < RULER) return board.changed();
	let at = rowAt2(board.layout, board.scroll, y - RULER);
	if (at && !at.row.track) return board.toggle(at.row.key);
	let slice = hit(board, x, y);
	slice || (board.area = null), board.choose(slice);
}
var Pinch = class {
	constructor(board, a, b) {
		this.board = board;
		this.a = a;
		this.b = b;
		[this.view, this.scroll] = [board.view, board.scroll];
	}
	board;
	a;
	b;
	view;
	scroll;
	move(a, b) {
		let width = Math.max(1, this.board.width), wide = (p, q) => Math.max(Math.hypot(p.x - q.x, p.y - q.y), 20), [before, now] = [(this.a.x + this.b.x) / 2, (a.x + b.x) / 2], factor = wide(this.a, this.b) / wide(a, b), next2 = zoomed2(this.view, factor, before / width, this.board.span);
		this.board.look(panned(next2, (before - now) / width, this.board.span)), this.board.scrollTo(this.scroll + (this.a.y + this.b.y - a.y - b.y) / 2);
	}
}, Pointers = class {
	constructor(canvas, board) {
		this.canvas = canvas;
		this.board = board;
	}
	canvas;
	board;
	drag = null;
	pinch = null;
	fingers = /* @__PURE__ */ new Map();
	rest = 0;
	down(event) {
		if (event.button > 1) return;
		event.button === 1 && event.preventDefault(), this.canvas.setPointerCapture(event.pointerId), event.pointerType === "touch" && this.fingers.set(event.pointerId, { x: event.offsetX, y: event.offsetY });
		let [first, second] = [...this.fingers.values()];
		clearTimeout(this.rest), this.board.isHeld = !0, this.pinch = first && second ? new Pinch(this.board, first, second) : null, this.drag = this.pinch ? null : begun(this.board, event), event.pointerType === "touch" && this.drag?.kind === "pan" && (this.rest = window.setTimeout(() => this.held(), REST_MS3));
	}
	held() {
		let { drag, board } = this;
		drag?.kind !== "pan" || drag.moved || (this.drag = { ...drag, kind: "area", from: edgeOrTime(board, drag, !1) }, board.changed());
	}
	move(event) {
		let at = { x: event.offsetX, y: event.offsetY }, { board, drag } = this;
		board.pointer = board.width ? Math.min(Math.max(at.x / board.width, 0), 1) : null, this.fingers.has(event.pointerId) && this.fingers.set(event.pointerId, at);
		let [first, second] = [...this.fingers.values()];
		this.pinch && first && second ? this.pinch.move(first, second) : drag && (drag.moved || Math.hypot(at.x - drag.x, at.y - drag.y) > CLICK_PX) ? (drag.moved = !0, board.hover = null, moved2(board, drag, at, event.altKey)) : !drag && !this.pinch && this.hover(at, event.altKey);
	}
	hover(at, free) {
		let { board, canvas } = this;
		board.hover = hit(board, at.x, at.y), board.guide = at.y < RULER && !free ? edgeAt(board, at.x, at.y) : null, canvas.style.cursor = at.y < RULER ? otherEnd(board, at.x) === null ? "col-resize" : "ew-resize" : board.hover ? "pointer" : board.selects ? "crosshair" : "default", board.changed();
	}
	up(event) {
		let { drag, board } = this;
		this.fingers.delete(event.pointerId), clearTimeout(this.rest), drag && !drag.moved && event.button !== 1 && clicked(board, drag), drag?.moved && drag.kind === "area" && board.area && !length(board.area.view) && (board.area = null), this.fingers.size || (this.pinch = null), this.end();
	}
	end() {
		clearTimeout(this.rest), this.drag = null, this.board.isHeld = this.fingers.size > 0, this.board.guide = null, this.board.changed();
	}
	leave() {
		this.drag || ([this.board.hover, this.board.guide, this.board.pointer] = [null, null, null], this.board.changed());
	}
	zoomIn(event) {
		let slice = hit(this.board, event.offsetX, event.offsetY);
		slice && ([this.board.range, this.board.area] = [null, null], this.board.choose(slice), this.board.fit());
	}
};
function followPointer(canvas, board) {
	let pointers = new Pointers(canvas, board), listeners2 = {
		pointerdown: (event) => pointers.down(event),
		pointermove: (event) => pointers.move(event),
		pointerup: (event) => pointers.up(event),
		pointercancel: (event) => {
			pointers.up(new PointerEvent("pointerup", { pointerId: event.pointerId, button: 1 }));
		},
		pointerleave: () => pointers.leave(),
		dblclick: (event) => pointers.zoomIn(event)
	};
	for (let [name, listener] of Object.entries(listeners2)) canvas.addEventListener(name, listener);
	return () => {
		for (let [name, listener] of Object.entries(listeners2))
			canvas.removeEventListener(name, listener);
	};
}

// src/timeline/places.ts
function placeOf4(scene, slice) {
	let row = scene.layout.byTrack.get(slice.track.key);
	if (!row) return null;
	let x = toX(slice.start, scene.view, scene.width), end = toX(slice.start + slice.duration, scene.view, scene.width), left2 = Math.max(x, -4);
	return {
		x: left2,
		y: RULER + topOf(scene.layout, row, scene.scroll) + 6 / 2 + slice.depth * row.lane,
		height: row.lane,
		width: Math.max(Math.min(end, scene.width + 4) - left2, 1)
	};
}
function rowOf({ layout: layout3 }, track) {
	let header = (row) => row.level === "group" && !!row.group?.tracks.some(({ key }) => key === track);
	return layout3.byTrack.get(track) ?? layout3.rows.find(header) ?? null;
}
function pointOf(scene, { track, depth, time: time2 }) {
	let row = rowOf(scene, track);
	if (!row) return null;
	let top = RULER + topOf(scene.layout, row, scene.scroll), y = row.track ? top + 6 / 2 + (depth + 0.5) * row.lane : top + row.height / 2;
	return { x: toX(time2, scene.view, scene.width), y };
}

// src/timeline/painter.ts
var EDGE = 1 / 128, GAP_FROM = 3;
function barOf2(lane) {
	return lane > 3 ? lane - 1 : lane;
}
function laneBand({ top, lane, ratio }, depth) {
	let y = top + depth * lane;
	return [Math.floor(y * ratio + 0.5), Math.floor((y + barOf2(lane)) * ratio + 0.5)];
}
function lanesIn(strip, each) {
	let { slices, box, ratio, view, width } = strip, { lanes, start, window: window3 } = slices, scale = width / length(view), offset = window3.start - view.start, low = Math.max(0, Math.floor((box.top / ratio - strip.top) / strip.lane)), high = Math.min(lanes.length - 2, Math.floor((box.bottom / ratio - strip.top) / strip.lane)), from = (box.left - 1) / scale - offset, to = (box.right + 1) / scale - offset;
	for (let depth = low; depth <= high; depth++) {
		let [first, end] = firstAfter(slices, depth, from), [a, b] = [first, end];
		for (; a < b; ) {
			let middle3 = a + b >> 1;
			start[middle3] <= to ? a = middle3 + 1 : b = middle3;
		}
		a > first && each(depth, first, a);
	}
}
function span(from, to, ratio) {
	let left2 = Math.floor(from + EDGE), right = Math.max(Math.ceil(to - EDGE), left2 + 1);
	return right - left2 > GAP_FROM * ratio ? [left2, right - Math.round(ratio)] : [left2, right];
}

// src/timeline/tints.ts
function rgbOf(colour2) {
	let hex = /^#([0-9a-f]{3}|[0-9a-f]{6})$/i.exec(colour2)?.[1];
	if (!hex) return { red: 128, green: 128, blue: 128 };
	let long = hex.length === 3 ? [...hex].map((digit) => digit + digit).join("") : hex, bits = parseInt(long, 16);
	return { red: bits >> 16, green: bits >> 8 & 255, blue: bits & 255 };
}
function weightOf(count, duration, idle) {
	return count === 1 || duration <= 0 ? 255 : Math.round(255 * (0.3 + 0.7 * (1 - idle / duration)));
}
function mixed2(rgba, name, weight, under) {
	let share = weight * rgba[4 * name + 3] / 65025, one = (over, below) => Math.round(below + (over - below) * share), red = one(rgba[4 * name], under.red), green = one(rgba[4 * name + 1], under.green);
	return (4278190080 | one(rgba[4 * name + 2], under.blue) << 16 | green << 8 | red) >>> 0;
}
var stamps = 0;
function tinted(names, palette, colours2, highlight) {
	let rows = Math.max(1, Math.ceil(names.text.length / 1024)), rgba = new Uint8Array(4 * 1024 * rows), dark = new Uint8Array(1024 * rows);
	return names.text.forEach((name, i) => {
		let paint3 = colours2 === "category" ? palette.ofCategory(names.category[i] ?? "", name) : palette.of(name), { red, green, blue } = rgbOf(paint3.fill);
		rgba.set([red, green, blue, !highlight || highlight.matches(name) ? 255 : 56], 4 * i), dark[i] = paint3.text === "#000000" ? 1 : 0;
	}), { rgba, pixels: new Uint32Array(rgba.buffer), dark, stamp: ++stamps };
}
var TintBox = class {
	made = /* @__PURE__ */ new WeakMap();
	palette = null;
	colours = "name";
	highlight = null;
	of(names, palette, colours2, highlight) {
		(palette !== this.palette || colours2 !== this.colours || highlight !== this.highlight) && ([this.palette, this.colours, this.highlight] = [palette, colours2, highlight], this.made = /* @__PURE__ */ new WeakMap());
		let tints = this.made.get(names);
		return tints || this.made.set(names, tints = tinted(names, palette, colours2, highlight)), tints;
	}
};

// src/timeline/texts.ts
var FONT3 = "11px system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', sans-serif", TEXT_MIN = 20, LANE_WITH_TEXT = 12, KEPT2 = 2e4, CUTS_KEPT = 1e5, PADDING = 3, MIDDLE_FROM = 10, TAIL3 = 0.4, DIM_TEXT = 0.45, measured = /* @__PURE__ */ new Map(), cutsKept = 0;
function forget() {
	measured.clear(), cutsKept = 0;
}
function measure2(ctx, text3) {
	let found = measured.get(text3);
	return found || ((measured.size > KEPT2 || cutsKept > CUTS_KEPT) && forget(), found = { width: ctx.measureText(text3).width, letters: null, cuts: /* @__PURE__ */ new Map() }, measured.set(text3, found)), found;
}
function widthOf(ctx, text3) {
	return measure2(ctx, text3).width;
}
function cutTo2(ctx, letters, found, count) {
	let cut = found.cuts.get(count);
	if (!cut) {
		let tail = count < MIDDLE_FROM ? 0 : Math.floor(count * TAIL3), end = tail ? letters.slice(-tail) : [], shown3 = `${letters.slice(0, count - tail).join("")}…${end.join("")}`;
		cut = [shown3, ctx.measureText(shown3).width], found.cuts.set(count, cut), cutsKept++;
	}
	return cut;
}
function fitting3(ctx, text3, room) {
	let found = measure2(ctx, text3);
	if (found.width <= room) return text3;
	let bare = text3.replace(/^void /, "");
	if (bare !== text3) return fitting3(ctx, bare, room);
	let letters = found.letters ??= [...text3];
	for (let count = Math.floor(letters.length * (room - 8) / found.width); count > 1; count--) {
		let [shown3, width] = cutTo2(ctx, letters, found, count);
		if (width <= room) return shown3;
	}
	return "";
}
function drawTexts(ctx, piece, tints) {
	let { slices, view, ratio, box, lane, top } = piece;
	if (lane < LANE_WITH_TEXT) return;
	let { start, duration, name, count, names } = slices, scale = piece.width / ratio / length(view), offset = slices.window.start - view.start, [low, high] = [box.left / ratio, box.right / ratio], least = TEXT_MIN / scale, ink = -1;
	lanesIn(piece, (depth, first, end) => {
		let y = top + depth * lane + lane / 2;
		for (let i = first; i < end; i++) {
			if (duration[i] < least) continue;
			let from = (start[i] + offset) * scale, left2 = Math.max(from, low) + PADDING, room = Math.min(from + duration[i] * scale, high) - left2 - PADDING;
			if (room < TEXT_MIN - 2 * PADDING) continue;
			let text3 = names.text[name[i]] ?? "", shown3 = fitting3(ctx, count[i] === 1 ? text3 : `${count[i]} × ${text3}`, room);
			if (!shown3) continue;
			let wanted3 = 2 * tints.dark[name[i]] + (tints.rgba[4 * name[i] + 3] === 56 ? 1 : 0);
			wanted3 !== ink && (ctx.fillStyle = wanted3 & 2 ? "#000000" : "#ffffff", ctx.globalAlpha = wanted3 & 1 ? DIM_TEXT : 1, ink = wanted3), ctx.fillText(shown3, left2, y);
		}
	}), ctx.globalAlpha = 1;
}

// src/timeline/curves.ts
var OUTSIDE2 = 60, HEAD = 6, CLEAR = 12;
function firstSample(start, time2) {
	let low = 0, high = start.length;
	for (; low < high; ) {
		let middle3 = low + high >> 1;
		start[middle3] <= time2 ? low = middle3 + 1 : high = middle3;
	}
	return Math.max(0, low - 1);
}
function heights(piece, low, high) {
	let bottom = piece.top + piece.row.height - 6, range = high - low || 1;
	return (value) => bottom - (value - low) / range * (bottom - piece.top - 1);
}
function shown2({ slices, box, ratio, view, width }, samples) {
	let { start, least, most, last: last2 } = samples, scale = width / ratio / length(view), offset = slices.window.start - view.start, [from, to] = [box.left / ratio, box.right / ratio], found = [];
	for (let i = firstSample(start, from / scale - offset); i < start.length; i++) {
		let left2 = Math.max(Math.round((start[i] + offset) * scale), from);
		if (left2 >= to) break;
		let next2 = i + 1 < start.length ? Math.round((start[i + 1] + offset) * scale) : to, right = Math.min(next2, to), before = found[found.length - 1];
		right > left2 ? found.push({ left: left2, right, least: least[i], most: most[i], last: last2[i] }) : before && (before.least = Math.min(before.least, least[i]), before.most = Math.max(before.most, most[i]), before.last = last2[i]);
	}
	return found;
}
function drawCounter(ctx, piece, inks) {
	let { samples } = piece.slices;
	if (!samples?.start.length) return;
	let { box, ratio } = piece, [left2, right] = [box.left / ratio, box.right / ratio], [low, high] = [Math.min(0, samples.low), Math.max(0, samples.high)], toY = heights(piece, low, high);
	ctx.save(), ctx.beginPath(), ctx.rect(left2, box.top / ratio, right - left2, (box.bottom - box.top) / ratio), ctx.clip();
	let [area, line] = [new Path2D(), new Path2D()];
	for (let { left: x, right: end, least, most, last: last2 } of shown2(piece, samples)) {
		let [y, base] = [toY(last2), toY(0)];
		area.rect(x, Math.min(y, base), end - x, Math.abs(base - y)), line.rect(x, y - 0.5, end - x, 1), toY(least) - toY(most) > 1 && line.rect(x, toY(most), 1, toY(least) - toY(most));
	}
	ctx.fillStyle = inks.device, ctx.globalAlpha = 0.35, ctx.fill(area), ctx.globalAlpha = 1, ctx.fill(line), ctx.fillStyle = inks.text;
	let text3 = `max ${formatNumber(high, samples.unit || "count")}`;
	ctx.fillText(fitting3(ctx, text3, right - left2 - 8), left2 + 4, toY(0) - 7), ctx.restore();
}
var KIND_INKS = { launch: "launch", kernel: "launch", waits_for: "wait" };
function drawArrow(ctx, scene, inks, arrow3, isFaint) {
	let [from, to] = [pointOf(scene, arrow3.from), pointOf(scene, arrow3.to)];
	if (!from || !to) return;
	let clamp = (x) => Math.min(Math.max(x, -OUTSIDE2), scene.width + OUTSIDE2), [x0, x1] = [clamp(from.x), clamp(to.x)];
	if (Math.max(x0, x1) < 0 || Math.min(x0, x1) > scene.width) return;
	let bend = Math.max(24, Math.abs(x1 - x0) / 3), stroke = (colour2, thick) => {
		ctx.strokeStyle = ctx.fillStyle = colour2, ctx.lineWidth = thick, ctx.beginPath(), ctx.moveTo(x0, from.y), ctx.bezierCurveTo(x0 + bend, from.y, x1 - bend, to.y, x1 - HEAD, to.y), ctx.stroke(), ctx.beginPath(), ctx.moveTo(x1, to.y), ctx.lineTo(x1 - HEAD - 1, to.y - HEAD / 2 - thick / 4), ctx.lineTo(x1 - HEAD - 1, to.y + HEAD / 2 + thick / 4), ctx.fill();
	};
	isFaint || stroke(inks.panel, 4), ctx.globalAlpha = isFaint ? 0.4 : 1, stroke(inks[KIND_INKS[arrow3.kind] ?? "accent"], isFaint ? 0.75 : 1.75), ctx.globalAlpha = 1;
}
function drawArrows(ctx, scene, inks) {
	let arrows = scene.arrows ?? [];
	for (let arrow3 of arrows) drawArrow(ctx, scene, inks, arrow3, arrows.length > CLEAR);
}

// src/timeline/proof.ts
var ROWS_MAX = 2e5, MARGIN3 = 0.5, FINER = 2, WIDTH_MAX2 = 8192;
function isOn({ host: host2, rows }, track) {
	return host2 === track.host && (!rows || rows.has(track.row));
}
function gathered(pieces) {
	let found = /* @__PURE__ */ new Map();
	for (let { host: host2, tracks, name, start, end } of [...pieces].sort((a, b) => a.start - b.start)) {
		let key = JSON.stringify([host2, tracks, name]), one = found.get(key);
		one || (one = { host: host2, name, rows: tracks ? new Set(rowsOf3(tracks, ROWS_MAX)) : null, start: [], end: [] }, found.set(key, one)), one.start.push(start), one.end.push(end);
	}
	return [...found.values()];
}
function proofOf({ tables }, window3, pixel) {
	let { host: host2 = [], tracks = [], start_ps = [], end_ps = [], name = [] } = tables.marks?.columns ?? {}, pieces = [...start_ps].map((start, i) => ({
		host: String(host2[i]),
		tracks: String(tracks[i] ?? ""),
		name: String(name[i] ?? ""),
		start: Number(start),
		end: Number(end_ps[i])
	}));
	return { window: window3, pixel, stretches: gathered(pieces) };
}
function gapsOf({ columns }, rows) {
	let at = (name, row) => columns[name]?.[row] ?? null, pieces = rows.map((row) => ({
		host: String(at("host", row)),
		tracks: String(at("track", row)),
		name: String(at("cause", row) ?? ""),
		start: Number(at("start_ps", row)),
		end: Number(at("start_ps", row)) + Number(at("duration_ps", row))
	}));
	return gathered(pieces);
}
function extentOf({ stretches }) {
	let start = stretches.reduce((least, one) => Math.min(least, one.start[0] ?? 1 / 0), 1 / 0), end = stretches.reduce((most, one) => one.end.reduce((a, b) => Math.max(a, b), most), -1 / 0);
	return end >= start ? { start, end } : null;
}
function asked2(proof, view, span2, width) {
	let pixel = length(view) / Math.max(width, 1);
	if (proof && proof.window.start <= Math.max(view.start, span2.start) && proof.window.end >= Math.min(view.end, span2.end) && proof.pixel <= FINER * pixel) return null;
	let margin = MARGIN3 * length(view), start = Math.max(Math.floor(view.start - margin), Math.floor(span2.start)), end = Math.min(Math.ceil(view.end + margin), Math.ceil(span2.end));
	return { window: { start, end: Math.max(end, start + 1) }, pixel };
}
function optionsOf4({ window: window3, pixel }) {
	let width = Math.max(1, Math.min(WIDTH_MAX2, Math.round(length(window3) / pixel)));
	return { start_ps: String(window3.start), end_ps: String(window3.end), width: String(width) };
}
function pixelsOf({ start, end }, view, width) {
	let scale = width / length(view), found = [];
	for (let i = 0; i < start.length; i++) {
		if (end[i] < view.start || start[i] > view.end) continue;
		let left2 = Math.max((start[i] - view.start) * scale, -2), right = Math.max(Math.min((end[i] - view.start) * scale, width + 2), left2 + 2), before = found[found.length - 1];
		before && left2 < before[0] + 2 ? before[1] = Math.max(before[1], right) : found.push([left2, right]);
	}
	return found;
}

// src/timeline/overlay.ts
var STEP_MIN = 4;
function outline(ctx, scene, slice, colour2, thickness) {
	let place2 = slice && placeOf4(scene, slice);
	if (!place2 || place2.x > scene.width + 4 || place2.x + place2.width < -4) return;
	ctx.strokeStyle = colour2, ctx.lineWidth = thickness;
	let width = Math.max(place2.width, 4);
	ctx.strokeRect(place2.x - (width - place2.width) / 2 - 0.5, place2.y - 0.5, width, place2.height);
}
function bandsOf(scene, { start, end }, tracks) {
	let left2 = Math.max(toX(start, scene.view, scene.width), -2), right = Math.max(Math.min(toX(end, scene.view, scene.width), scene.width + 2), left2 + 2);
	if (left2 > scene.width || right < 0) return [];
	if (!tracks.length) return [{ left: left2, right, top: RULER, bottom: scene.height }];
	let bands = tracks.flatMap((key) => scene.layout.byTrack.get(key) ?? []).map((row) => {
		let top = RULER + topOf(scene.layout, row, scene.scroll);
		return { left: left2, right, top, bottom: top + row.height };
	});
	bands.sort((a, b) => a.top - b.top);
	let joined2 = [];
	for (let band of bands) {
		let before = joined2[joined2.length - 1];
		before && before.bottom >= band.top ? before.bottom = Math.max(before.bottom, band.bottom) : joined2.push(band);
	}
	return joined2.filter(({ top, bottom }) => bottom > RULER && top < scene.height);
}
function tinted2(ctx, { left: left2, right, top, bottom }, colour2, alpha, thick = 1) {
	ctx.fillStyle = ctx.strokeStyle = colour2, ctx.globalAlpha = alpha, ctx.fillRect(left2, top, right - left2, bottom - top), ctx.globalAlpha = 1, ctx.lineWidth = thick, ctx.strokeRect(
		Math.round(left2) + 0.5,
		top + 0.5,
		Math.max(Math.round(right) - Math.round(left2) - 1, 1),
		bottom - top - 1
	);
}
function drawArea(ctx, scene, inks, { view, tracks }) {
	let keys8 = tracks.map(({ key }) => key);
	for (let band of bandsOf(scene, view, keys8)) tinted2(ctx, band, inks.accent, tracks.length ? 0.1 : 0.05);
}
function drawMarks(ctx, scene, inks, marks) {
	let seen = /* @__PURE__ */ new Set();
	for (let { start, end, tracks } of marks) {
		let keys8 = tracks.map(({ key }) => key);
		for (let band of bandsOf(scene, { start, end }, keys8)) {
			let key = `${Math.round(band.left)} ${Math.round(band.right)} ${Math.round(band.top)} ${Math.round(band.bottom)}`;
			seen.has(key) || (seen.add(key), tinted2(ctx, band, inks.accent, 0.08, 2));
		}
		let [place2] = bandsOf(scene, { start, end }, []);
		place2 && ctx.fillRect(place2.left, RULER - 4, Math.max(place2.right - place2.left, 2), 3);
	}
}
var BORDER_FROM = 6, HEADER_LINE = 3;
function drawName(ctx, scene, inks, name, [left2, right], y) {
	let width = widthOf(ctx, name), [from, to] = [Math.max(left2, 0), Math.min(right, scene.width)];
	!name || to - from < width + 8 || (ctx.fillStyle = inks.accent, ctx.fillText(name, (from + to - width) / 2, y));
}
function drawStretches(ctx, scene, inks, rows, stretches) {
	ctx.fillStyle = ctx.strokeStyle = inks.accent;
	for (let one of stretches) {
		let pixels2 = pixelsOf(one, scene.view, scene.width);
		if (pixels2.length) {
			for (let { row, top } of rows)
				if ((row.track ? [row.track] : row.open ? [] : row.group?.tracks ?? []).some((track) => isOn(one, track)))
					for (let [left2, right] of pixels2) {
						let low = top + row.height, [from, to] = row.track ? [top, low] : [low - HEADER_LINE, low];
						row.track && right - left2 >= BORDER_FROM ? (tinted2(ctx, { left: left2, right, top: from, bottom: to }, inks.accent, 0.08, 2), drawName(ctx, scene, inks, one.name, [left2, right], (from + to) / 2)) : (ctx.globalAlpha = row.track ? 0.4 : 1, ctx.fillRect(left2, from, right - left2, to - from), ctx.globalAlpha = 1);
					}
		}
	}
}
function drawOnRuler(ctx, scene, inks, stretches) {
	ctx.fillStyle = inks.accent;
	for (let one of stretches)
		for (let [left2, right] of pixelsOf(one, scene.view, scene.width)) ctx.fillRect(left2, RULER - 4, right - left2, 3);
}
function chipOf(ctx, scene, range) {
	if (range.end < scene.view.start || range.start > scene.view.end) return null;
	let text3 = formatNumber(range.end - range.start, "ps"), width = widthOf(ctx, text3) + 12, middle3 = (toX(range.start, scene.view, scene.width) + toX(range.end, scene.view, scene.width)) / 2;
	return { left: Math.min(Math.max(middle3, width / 2), scene.width - width / 2) - width / 2, width, text: text3 };
}
function drawSteps2(ctx, scene, inks) {
	let steps = scene.steps ?? [], host2 = steps[0]?.host, shown3 = steps.filter(
		(step) => step.host === host2 && step.end > scene.view.start && step.start < scene.view.end
	);
	if (!(shown3.length * STEP_MIN > scene.width)) {
		ctx.fillStyle = inks.accent;
		for (let { number: number3, start, end } of shown3) {
			let left2 = toX(start, scene.view, scene.width);
			ctx.globalAlpha = number3 % 2 ? 0.12 : 0.04, ctx.fillRect(left2, 0, toX(end, scene.view, scene.width) - left2, RULER - 1);
		}
		ctx.globalAlpha = 1;
	}
}
function drawRuler(ctx, scene, inks) {
	let { ticks, base } = ruler(scene.view, scene.width, TICK_GAP, scene.origin);
	ctx.fillStyle = inks.panel, ctx.fillRect(0, 0, scene.width, RULER), drawSteps2(ctx, scene, inks), ctx.fillStyle = inks.line, ctx.fillRect(0, RULER - 1, scene.width, 1);
	let chip = scene.range && chipOf(ctx, scene, scene.range), clear = base ? widthOf(ctx, base) + 16 : 0;
	for (let { time: time2, label: label2 } of ticks) {
		let x = Math.round(toX(time2, scene.view, scene.width));
		ctx.fillStyle = inks.line, ctx.fillRect(x, RULER - 7, 1, 6), ctx.fillStyle = inks.soft;
		let end = x + 4 + widthOf(ctx, label2), isCovered = chip !== null && x < chip.left + chip.width && end > chip.left;
		x >= clear && end <= scene.width && !isCovered && ctx.fillText(label2, x + 4, RULER / 2);
	}
	ctx.fillStyle = inks.text, base && ctx.fillText(base, 4, RULER / 2);
}
function drawRange(ctx, scene, inks, range) {
	let left2 = toX(range.start, scene.view, scene.width), right = toX(range.end, scene.view, scene.width);
	ctx.fillStyle = inks.accent, ctx.globalAlpha = 0.05, ctx.fillRect(left2, RULER, right - left2, scene.height - RULER), ctx.globalAlpha = 0.14, ctx.fillRect(left2, 0, right - left2, RULER), ctx.globalAlpha = 1;
	for (let x of [left2, right]) ctx.fillRect(Math.round(x), 0, 1, scene.height);
	let chip = chipOf(ctx, scene, range);
	chip && (ctx.fillRect(chip.left, 3, chip.width, RULER - 7), ctx.fillStyle = inks.panel, ctx.fillText(chip.text, chip.left + 6, RULER / 2));
}
function clipped(ctx, scene, top, bottom, draw2) {
	ctx.save(), ctx.beginPath(), ctx.rect(0, top, scene.width, bottom - top), ctx.clip(), draw2(), ctx.restore();
}
function drawRows(ctx, scene, inks, rows, tints) {
	for (let { pieces } of rows)
		for (let piece of pieces) {
			let { names, samples } = piece.slices;
			samples && drawCounter(ctx, piece, inks), drawTexts(ctx, piece, tints.of(names, inks.palette, scene.colours ?? "name", scene.highlight ?? null));
		}
}
function drawOverlay(ctx, scene, inks, rows, tints) {
	let stretches = [...scene.proof?.stretches ?? [], ...scene.gaps ?? []];
	ctx.font = FONT3, ctx.textBaseline = "middle", ctx.direction = "ltr";
	let pinnedEnd = RULER + scene.layout.pinnedHeight, part = (isPinned) => rows.filter(({ row }) => row.pinned === isPinned);
	clipped(ctx, scene, pinnedEnd, scene.height, () => drawRows(ctx, scene, inks, part(!1), tints)), clipped(ctx, scene, RULER, pinnedEnd, () => drawRows(ctx, scene, inks, part(!0), tints)), clipped(ctx, scene, RULER - 4, scene.height, () => {
		scene.area && drawArea(ctx, scene, inks, scene.area), drawStretches(ctx, scene, inks, rows, stretches), outline(ctx, scene, scene.hover, inks.text, 1), outline(ctx, scene, scene.selected, inks.accent, 2), drawArrows(ctx, scene, inks);
	}), drawRuler(ctx, scene, inks), drawOnRuler(ctx, scene, inks, stretches), scene.marks?.length && drawMarks(ctx, scene, inks, scene.marks), scene.range && drawRange(ctx, scene, inks, scene.range);
}

// src/timeline/picture.ts
function without(parts2, { left: left2, right }) {
	return parts2.flatMap((part) => [
		...part.left < left2 ? [{ left: part.left, right: Math.min(part.right, left2) }] : [],
		...part.right > right ? [{ left: Math.max(part.left, right), right: part.right }] : []
	]);
}
function inside(parts2, { left: left2, right }) {
	return parts2.map((part) => ({ left: Math.max(part.left, left2), right: Math.min(part.right, right) })).filter((part) => part.left < part.right);
}
function piecesOfRow(scene, row, top, ratio, bounds2) {
	let { view } = scene, width = scene.width * ratio, box = {
		top: Math.max(bounds2.top, Math.round(top * ratio)),
		bottom: Math.min(bounds2.bottom, Math.round((top + row.height - 1) * ratio))
	};
	if (box.bottom <= box.top) return [];
	let pieces = [], free = [{ left: bounds2.left, right: bounds2.right }];
	for (let slices of layersOf(scene, row.key).reverse()) {
		let { start, end } = slices.window, window3 = { left: Math.round(toX(start, view, width)), right: Math.round(toX(end, view, width)) }, strip = { row, slices, view, width, ratio, top: top + 6 / 2, lane: row.lane };
		if (pieces.push(...inside(free, window3).map((part) => ({ ...strip, box: { ...box, ...part } }))), free = without(free, window3), !free.length) break;
	}
	return pieces;
}
function piecesOf(scene, ratio) {
	let [right, bottom] = [Math.round(scene.width * ratio), Math.round(scene.height * ratio)], scrolled = Math.round((RULER + scene.layout.pinnedHeight) * ratio);
	return rowsOnScreen(scene.layout, scene.scroll, scene.height - RULER).map(({ row, y }) => {
		let bounds2 = { left: 0, right, top: row.pinned ? Math.round(RULER * ratio) : scrolled, bottom }, top = RULER + y;
		return { row, top, pieces: row.track ? piecesOfRow(scene, row, top, ratio, bounds2) : [] };
	});
}
function half(a, b) {
	return { red: a.red + b.red >> 1, green: a.green + b.green >> 1, blue: a.blue + b.blue >> 1 };
}
function paintGrid(painter2, scene, colour2, ratio, height) {
	let thick = Math.max(1, Math.floor(ratio));
	for (let { time: time2 } of ruler(scene.view, scene.width, TICK_GAP, scene.origin).ticks) {
		let left2 = Math.round(toX(time2, scene.view, scene.width * ratio));
		painter2.fill({ left: left2, right: left2 + thick, top: Math.round(RULER * ratio), bottom: height }, colour2);
	}
}
var Picture = class {
	tints = new TintBox();
	paint(painter2, scene, inks, rows, ratio) {
		let [width, height] = [Math.round(scene.width * ratio), Math.round(scene.height * ratio)], [panel, sunken, line] = [rgbOf(inks.panel), rgbOf(inks.sunken), rgbOf(inks.line)], thick = Math.max(1, Math.floor(ratio));
		painter2.begin(width, height, panel), paintGrid(painter2, scene, half(panel, line), ratio, height);
		for (let { row, top, pieces } of rows) {
			let box = {
				left: 0,
				right: width,
				top: Math.round(top * ratio),
				bottom: Math.round((top + row.height) * ratio)
			};
			(row.pinned || !row.track) && painter2.fill(box, row.pinned ? panel : sunken);
			for (let piece of pieces) {
				if (!piece.slices.start.length) continue;
				let { names } = piece.slices;
				painter2.strip(piece, this.tints.of(names, inks.palette, scene.colours ?? "name", scene.highlight ?? null));
			}
			painter2.fill({ ...box, top: box.bottom - thick }, line);
		}
		painter2.end();
	}
};

// src/timeline/draw.ts
function draw(ctx, painter2, picture, scene, inks, ratio) {
	if (!scene.width || !scene.height) return;
	let rows = piecesOf(scene, ratio);
	ctx.setTransform(1, 0, 0, 1, 0, 0), ctx.clearRect(0, 0, ctx.canvas.width, ctx.canvas.height), picture.paint(painter2, scene, inks, rows, ratio), ctx.setTransform(ratio, 0, 0, ratio, 0, 0), drawOverlay(ctx, scene, inks, rows, picture.tints);
}

// src/timeline/gl/pack.ts
var WORDS2 = 6, BYTES2 = 4 * WORDS2, TWO_32 = 2 ** 32;
function words(value) {
	return [(value % TWO_32 + TWO_32) % TWO_32, Math.floor(value / TWO_32) >>> 0];
}
function packed(slices) {
	let { lanes, start, duration, idle, count, name } = slices, into = new Uint32Array(WORDS2 * start.length);
	for (let depth = 0; depth < lanes.length - 1; depth++)
		for (let i = lanes[depth]; i < lanes[depth + 1]; i++) {
			let at = WORDS2 * i, [begin, long] = [start[i], duration[i]];
			into[at] = begin, into[at + 1] = Math.floor(begin / TWO_32), into[at + 2] = long, into[at + 3] = Math.floor(long / TWO_32), into[at + 4] = depth << 8 | weightOf(count[i], long, idle[i]), into[at + 5] = name[i];
		}
	return into;
}

// src/timeline/gl/cache.ts
var MOST_BYTES2 = 64e6, FRAMES_KEPT = 2, Shelf = class {
	constructor(drop, most = MOST_BYTES2) {
		this.drop = drop;
		this.most = most;
	}
	drop;
	most;
	bytes = 0;
	kept = /* @__PURE__ */ new Map();
	get(id, frame) {
		let found = this.kept.get(id);
		return found ? (found.used = frame, this.kept.delete(id), this.kept.set(id, found), found.thing) : null;
	}
	put(id, thing, bytes2, frame) {
		return this.kept.set(id, { thing, bytes: bytes2, used: frame }), this.bytes += bytes2, thing;
	}
	trim(frame) {
		for (let [id, { thing, bytes: bytes2, used }] of this.kept) {
			if (this.bytes <= this.most || used > frame - FRAMES_KEPT) return;
			this.kept.delete(id), this.bytes -= bytes2, this.drop(thing);
		}
	}
}, Cache = class {
	constructor(gl) {
		this.gl = gl;
		this.buffers = new Shelf((buffer) => gl.deleteBuffer(buffer)), this.textures = new Shelf((texture) => gl.deleteTexture(texture), MOST_BYTES2 / 8);
	}
	gl;
	frame = 0;
	buffers;
	textures;
	nextFrame() {
		this.frame++, this.buffers.trim(this.frame), this.textures.trim(this.frame);
	}
	/** Binds the slices' buffer, filling it when it is new. */
	bindSlices(slices) {
		let { gl, frame } = this, found = this.buffers.get(slices.id, frame);
		if (found) return gl.bindBuffer(gl.ARRAY_BUFFER, found);
		let buffer = gl.createBuffer(), words4 = packed(slices);
		gl.bindBuffer(gl.ARRAY_BUFFER, buffer), gl.bufferData(gl.ARRAY_BUFFER, words4, gl.STATIC_DRAW), this.buffers.put(slices.id, buffer, words4.byteLength, frame);
	}
	bindTints(tints) {
		let { gl, frame } = this, found = this.textures.get(tints.stamp, frame);
		if (found) return gl.bindTexture(gl.TEXTURE_2D, found);
		let texture = gl.createTexture();
		gl.bindTexture(gl.TEXTURE_2D, texture);
		for (let side of [gl.TEXTURE_MIN_FILTER, gl.TEXTURE_MAG_FILTER])
			gl.texParameteri(gl.TEXTURE_2D, side, gl.NEAREST);
		let rows = tints.rgba.length / 4 / 1024;
		gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA8, 1024, rows, 0, gl.RGBA, gl.UNSIGNED_BYTE, tints.rgba), this.textures.put(tints.stamp, texture, tints.rgba.length, frame);
	}
};

// src/timeline/gl/shader.ts
var VERTEX = `#version 300 es
precision highp float;
precision highp int;

layout(location = 0) in uvec4 time;   // start and duration, each low and high word
layout(location = 1) in uvec2 look;   // depth << 8 | weight, name
uniform uvec2 origin;                 // the view's begin, from the window's, rounded down
uniform float fraction;               // what rounding took
uniform float scale;                  // pixels a picosecond
uniform vec4 band;                    // CSS pixels: first lane's top, lane's height, bar's height; device pixels a CSS pixel
uniform vec2 size;                    // of the canvas
uniform vec3 under;                   // background
uniform sampler2D tints;
flat out vec3 colour;

uvec2 plus(uvec2 a, uvec2 b) {
	uint low = a.x + b.x;
	return uvec2(low, a.y + b.y + uint(low < a.x));
}

uvec2 minus(uvec2 a, uvec2 b) {
	return uvec2(a.x - b.x, a.y - b.y - uint(a.x < b.x));
}

float real(uvec2 a) {
	if ((a.y & 0x80000000u) == 0u) return float(a.y) * 4294967296.0 + float(a.x);
	uvec2 b = minus(uvec2(0u), a);
	return -(float(b.y) * 4294967296.0 + float(b.x));
}

void main() {
	uvec2 begin = minus(time.xy, origin);
	float from = (real(begin) - fraction) * scale;
	float to = (real(plus(begin, time.zw)) - fraction) * scale;
	float left = floor(clamp(from + ${EDGE}, -64.0, size.x + 64.0));
	float right = max(ceil(clamp(to - ${EDGE}, -64.0, size.x + 64.0)), left + 1.0);
	if (right - left > ${GAP_FROM}.0 * band.w) right -= floor(band.w + 0.5);
	float y = band.x + float(look.x >> 8) * band.y;
	float top = floor(y * band.w + 0.5);
	float bottom = floor((y + band.z) * band.w + 0.5);
	vec2 corner = vec2((gl_VertexID & 1) == 0 ? left : right, (gl_VertexID & 2) == 0 ? top : bottom);
	gl_Position = vec4(corner.x / size.x * 2.0 - 1.0, 1.0 - corner.y / size.y * 2.0, 0.0, 1.0);
	int name = int(look.y);
	vec4 tint = texelFetch(tints, ivec2(name % ${1024}, name / ${1024}), 0);
	colour = mix(under, tint.rgb, float(look.x & 255u) / 255.0 * tint.a);
}`, FRAGMENT = `#version 300 es
precision highp float;
flat in vec3 colour;
out vec4 pixel;

void main() {
	pixel = vec4(colour, 1.0);
}`;

// src/timeline/gl/painter.ts
var UNIFORMS = ["origin", "fraction", "scale", "band", "size", "under"], BRIDGED = 512;
function compiled2(gl, kind, source) {
	let shader = gl.createShader(kind);
	return gl.shaderSource(shader, source), gl.compileShader(shader), shader;
}
function linked(gl) {
	let program = gl.createProgram(), shaders = [compiled2(gl, gl.VERTEX_SHADER, VERTEX), compiled2(gl, gl.FRAGMENT_SHADER, FRAGMENT)];
	for (let shader of shaders) gl.attachShader(program, shader);
	gl.linkProgram(program);
	for (let shader of shaders) gl.deleteShader(shader);
	return gl.getProgramParameter(program, gl.LINK_STATUS) ? program : null;
}
var PainterGl = class _PainterGl {
	constructor(gl, program) {
		this.gl = gl;
		this.cache = new Cache(gl), gl.useProgram(program), this.places = Object.fromEntries(UNIFORMS.map((name) => [name, gl.getUniformLocation(program, name)])), gl.bindVertexArray(gl.createVertexArray());
		for (let location of [0, 1])
			gl.enableVertexAttribArray(location), gl.vertexAttribDivisor(location, 1);
		gl.disable(gl.BLEND), gl.disable(gl.DEPTH_TEST), gl.enable(gl.SCISSOR_TEST);
	}
	gl;
	cache;
	places;
	height = 0;
	static on(gl) {
		let program = linked(gl);
		return program && new _PainterGl(gl, program);
	}
	begin(width, height, background) {
		let { gl, places } = this;
		this.height = height, this.cache.nextFrame(), gl.viewport(0, 0, width, height), gl.uniform2f(places.size, width, height), gl.uniform3f(places.under, background.red / 255, background.green / 255, background.blue / 255), this.fill({ left: 0, top: 0, right: width, bottom: height }, background);
	}
	within({ left: left2, top, right, bottom }) {
		return right <= left2 || bottom <= top ? !1 : (this.gl.scissor(left2, this.height - bottom, right - left2, bottom - top), !0);
	}
	fill(box, { red, green, blue }) {
		this.within(box) && (this.gl.clearColor(red / 255, green / 255, blue / 255, 1), this.gl.clear(this.gl.COLOR_BUFFER_BIT));
	}
	strip(strip, tints) {
		if (!this.within(strip.box)) return;
		let { gl, places, cache } = this, { slices, view, width, ratio, top, lane } = strip, bound = !1, bind = () => {
			bound = !0;
			let origin = Math.floor(view.start);
			gl.uniform2ui(places.origin, ...words(origin - slices.window.start)), gl.uniform1f(places.fraction, view.start - origin), gl.uniform1f(places.scale, width / length(view)), gl.uniform4f(places.band, top, lane, barOf2(lane), ratio), cache.bindTints(tints), cache.bindSlices(slices);
		}, [from, to] = [0, 0], send = () => {
			to <= from || (bound || bind(), gl.vertexAttribIPointer(0, 4, gl.UNSIGNED_INT, BYTES2, BYTES2 * from), gl.vertexAttribIPointer(1, 2, gl.UNSIGNED_INT, BYTES2, BYTES2 * from + 16), gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, to - from));
		};
		lanesIn(strip, (_, first, end) => {
			first - to > BRIDGED ? (send(), from = first) : to === 0 && (from = first), to = end;
		}), send();
	}
	end() {
		this.gl.flush();
	}
};

// src/timeline/raster.ts
var OPAQUE = 4278190080, RUN = 16;
function pixelOf(red, green, blue) {
	return (OPAQUE | blue << 16 | green << 8 | red) >>> 0;
}
var Raster = class {
	constructor(ctx) {
		this.ctx = ctx;
	}
	ctx;
	under = { red: 0, green: 0, blue: 0 };
	image = null;
	pixels = new Uint32Array(0);
	width = 0;
	height = 0;
	begin(width, height, background) {
		(!this.image || width !== this.width || height !== this.height) && ([this.width, this.height] = [width, height], this.image = new ImageData(width, height), this.pixels = new Uint32Array(this.image.data.buffer)), this.under = background, this.pixels.fill(pixelOf(background.red, background.green, background.blue));
	}
	/** What of a box is on the canvas; null when nothing. */
	clipped(box) {
		let [left2, top] = [Math.max(box.left, 0), Math.max(box.top, 0)], [right, bottom] = [Math.min(box.right, this.width), Math.min(box.bottom, this.height)];
		return right > left2 && bottom > top ? { left: left2, top, right, bottom } : null;
	}
	/** Rows of a box become like its first. */
	repeat({ left: left2, top, right, bottom }) {
		let { pixels: pixels2, width } = this, from = top * width;
		for (let at = from + width; at < bottom * width; at += width)
			pixels2.copyWithin(at + left2, from + left2, from + right);
	}
	fill(given2, { red, green, blue }) {
		let box = this.clipped(given2);
		if (!box) return;
		let row = box.top * this.width;
		this.pixels.fill(pixelOf(red, green, blue), row + box.left, row + box.right), this.repeat(box);
	}
	strip(strip, tints) {
		let box = this.clipped(strip.box);
		box && lanesIn(strip, (depth, first, end) => {
			let [top, bottom] = laneBand(strip, depth), lane = this.clipped({ ...box, top: Math.max(top, box.top), bottom: Math.min(bottom, box.bottom) });
			lane && (this.row(strip, tints, lane, first, end), this.repeat(lane));
		});
	}
	/** Slices of a lane into its first row of pixels. */
	row({ slices, view, width, ratio }, tints, lane, first, end) {
		let { start, duration, idle, count, name, window: window3 } = slices, { pixels: pixels2, under } = this, at = lane.top * this.width, scale = width / length(view), offset = window3.start - view.start;
		for (let i = first; i < end; i++) {
			let from = (start[i] + offset) * scale, [a, b] = span(from, from + duration[i] * scale, ratio), left2 = Math.max(a, lane.left), right = Math.min(b, lane.right), weight = count[i] === 1 ? 255 : weightOf(count[i], duration[i], idle[i]), full = tints.pixels[name[i]], pixel = weight === 255 && full >= OPAQUE ? full : mixed2(tints.rgba, name[i], weight, under);
			if (right - left2 > RUN) pixels2.fill(pixel, at + left2, at + right);
			else for (let x = left2; x < right; x++) pixels2[at + x] = pixel;
		}
	}
	end() {
		this.image && this.ctx.putImageData(this.image, 0, 0);
	}
};

// src/timeline/surface.ts
var ATTRIBUTES = {
	alpha: !1,
	antialias: !1,
	depth: !1,
	stencil: !1,
	failIfMajorPerformanceCaveat: !0
}, SOFTWARE = /swiftshader|llvmpipe|softpipe|software|basic render/i;
function isSoftware(gl) {
	let names = [gl.getParameter(gl.RENDERER)], info = gl.getExtension("WEBGL_debug_renderer_info");
	return info && names.push(gl.getParameter(info.UNMASKED_RENDERER_WEBGL)), names.some((name) => SOFTWARE.test(String(name)));
}
function cardOf(canvas) {
	let gl = canvas.getContext("webgl2", ATTRIBUTES);
	return !gl || !isSoftware(gl) ? gl : (gl.getExtension("WEBGL_lose_context")?.loseContext(), null);
}
function fitted(canvas, width, height) {
	(canvas.width !== width || canvas.height !== height) && ([canvas.width, canvas.height] = [width, height]);
}
var Surface = class {
	/** `changed`: what is drawn must be drawn again. */
	constructor(above, below, changed2) {
		this.above = above;
		this.below = below;
		this.changed = changed2;
		this.ctx = above.getContext("2d"), this.raster = new Raster(this.ctx), this.gl = cardOf(below), this.painter = this.gl && PainterGl.on(this.gl), below.addEventListener("webglcontextlost", this.lost), below.addEventListener("webglcontextrestored", this.restored), this.show();
	}
	above;
	below;
	changed;
	picture = new Picture();
	ctx;
	raster;
	gl;
	painter;
	dispose() {
		this.below.removeEventListener("webglcontextlost", this.lost), this.below.removeEventListener("webglcontextrestored", this.restored), this.gl?.getExtension("WEBGL_lose_context")?.loseContext();
	}
	lost = (event) => {
		event.preventDefault(), this.painter = null, this.show(), this.changed();
	};
	restored = () => {
		this.painter = this.gl && PainterGl.on(this.gl), this.show(), this.changed();
	};
	show() {
		this.below.hidden = !this.painter, this.above.dataset.painter = this.painter ? "webgl" : "raster";
	}
	paint(scene, inks) {
		let ratio = window.devicePixelRatio || 1, [width, height] = [Math.round(scene.width * ratio), Math.round(scene.height * ratio)];
		fitted(this.above, width, height), this.painter && fitted(this.below, width, height), draw(this.ctx, this.painter ?? this.raster, this.picture, scene, inks, ratio);
	}
};

// src/timeline/wheel.ts
var LINE_PX2 = 20, PAGE_PX = 300, ZOOM = 1.0025, PINCH_PX = 20, PINCH = 4;
function pixels(event, delta) {
	return event.deltaMode === WheelEvent.DOM_DELTA_LINE ? delta * LINE_PX2 : event.deltaMode === WheelEvent.DOM_DELTA_PAGE ? delta * PAGE_PX : delta;
}
function onWheel(board, event) {
	event.preventDefault();
	let [x, y] = [pixels(event, event.deltaX), pixels(event, event.deltaY)], now = performance.now(), isSideways = event.shiftKey || Math.abs(x) > Math.abs(y), scrolls = board.layout.height > board.room;
	if (event.ctrlKey || event.metaKey || event.offsetY < RULER || !scrolls && !isSideways) {
		let power = event.ctrlKey && Math.abs(y) < PINCH_PX ? PINCH * y : y;
		board.motion.zoomBy(ZOOM ** power, event.offsetX / Math.max(1, board.width), now);
	} else isSideways ? board.motion.panBy((x || y) / Math.max(1, board.width), now) : board.scrollTo(board.scroll + y);
	board.changed();
}

// src/timeline/canvas.tsx
function follow(above, below, board) {
	let inks = inksOfTheme(), surface = new Surface(above, below, () => board.changed()), size = new ResizeObserver(() => board.resize(above.clientWidth, above.clientHeight));
	size.observe(above), board.resize(above.clientWidth, above.clientHeight);
	let again = () => board.changed();
	window.addEventListener("resize", again);
	let ends2 = [
		() => window.removeEventListener("resize", again),
		board.subscribe(() => surface.paint(board, inks)),
		onTheme(() => {
			inks = inksOfTheme(), board.changed();
		}),
		() => size.disconnect(),
		() => surface.dispose()
	];
	return () => ends2.forEach((end) => end());
}
function Canvas({ board, summary: summary3 }) {
	let canvas = useRef(null), below = useRef(null);
	return useEffect(() => follow(canvas.current, below.current, board), [board]), useEffect(() => followPointer(canvas.current, board), [board]), useEffect(() => {
		let element = canvas.current, wheel = (event) => onWheel(board, event);
		return element.addEventListener("wheel", wheel, { passive: !1 }), () => element.removeEventListener("wheel", wheel);
	}, [board]), jsxs(Fragment2, { children: [
		jsx("canvas", { ref: below, class: "trace-picture", "aria-hidden": "true" }),
		jsx("canvas", { ref: canvas, class: "trace-canvas", role: "img", tabIndex: 0, "aria-label": summary3 })
	] });
}

// src/timeline/area.ts
function areaOptions({ view, tracks }) {
	return {
		area: "true",
		start_ps: String(Math.floor(view.start)),
		end_ps: String(Math.max(Math.floor(view.start) + 1, Math.ceil(view.end))),
		...tracks.length ? { tracks: ranges(tracks) } : {}
	};
}
function sumsOf({ summary: summary3 }, area) {
	let [events, tracks, busy] = ["area_events", "area_tracks", "area_busy_ps"].map(
		(name) => Number(summary3[name] ?? 0)
	), long = length(area.view), all = long * tracks;
	return [
		`${counted(events, "event")} on ${counted(tracks, "track")}`,
		`busy ${formatNumber(busy, "ps")} of ${tracks > 1 ? `${tracks} × ` : ""}${formatNumber(long, "ps")}` + (all > 0 ? `, ${percent(busy / all)}` : "")
	];
}
function rowsOfAll({ summary: summary3 }, table) {
	let rows = summary3[`${table}_rows`];
	return typeof rows == "number" ? rows : null;
}
function readableGaps(spec, { columns }, origin, track) {
	let cells = (name) => [...columns[name] ?? []], tracks = cells("track").map((cell, i) => track(String(columns.host?.[i]), Number(cell))), isOne = (key) => new Set(tracks.flatMap((one) => one?.[key] ?? [])).size < 2, [oneGroup, oneHost] = [isOne("group"), isOne("host")], named2 = (cell, i) => {
		let one = tracks[i];
		if (!one) return String(Number(cell));
		let group2 = decodeURIComponent(one.group.slice(one.group.lastIndexOf("/") + 1));
		return [oneHost ? "" : one.host, oneGroup ? "" : group2, one.name || String(one.row)].filter(Boolean).join(" · ");
	}, changed2 = { track: { dtype: "text" }, text: { name: "why" } }, data = {
		...columns,
		track: cells("track").map(named2),
		start_ps: cells("start_ps").map((cell) => Number(cell) - origin),
		why: cells("text").map((cell) => String(cell).replaceAll("`", ""))
	};
	return {
		spec: { ...spec, columns: spec.columns.map((column) => ({ ...column, ...changed2[column.name] })) },
		data: { columns: data }
	};
}
function withCategoryTitles({ columns }, titleOf2) {
	return { columns: { ...columns, category: [...columns.category ?? []].map((key) => titleOf2(String(key))) } };
}

// src/timeline/area_tables.tsx
var PLAIN = { filter: "", sort: null, columns: null, rows: "", open: "" }, GAP_SHARE = 0.5;
function chosenRows(spec, data, { filter, sort, rows }) {
	if (!rows) return [];
	let shown3 = pickRows(data, spec.columns, filter, sort), range = rangeOf(rows, data, shown3);
	return range ? shown3.slice(Math.min(range.from, range.to), Math.max(range.from, range.to) + 1) : [];
}
function useTable(props, name) {
	let { page, board, answer, area } = props, [state, setState] = useState(PLAIN), spec = page.tool.tables.find((table) => table.name === name), data = answer.tables[name], options2 = areaOptions(area), all = rowsOfAll(answer, name), count = data ? rowCount(data) : 0;
	return {
		spec,
		data,
		state,
		setState,
		count,
		csv: board.url({ ...options2, format: "csv", table: name }),
		json: board.url(options2),
		more: all !== null && all > count ? jsxs("span", { class: "soft", children: [
			"the largest ",
			grouped(count),
			" of ",
			grouped(all)
		] }) : null
	};
}
function Nothing({ children }) {
	return jsx("p", { class: "soft trace-hint", children });
}
function useBright(board, names) {
	let key = names.join(`
`);
	useEffect(() => {
		if (!names.length) return;
		let before = board.highlight, bright = { matches: (name) => names.some((one) => sameName(one, name)) };
		return board.highlight = bright, board.changed(), () => {
			board.highlight === bright && (board.highlight = before, board.changed());
		};
	}, [board, key]);
}
function ByName(props) {
	let { spec, data, ...table } = useTable(props, "area_names"), { board, ways, find: find2 } = props, names = data?.columns.name ?? [], chosen2 = spec && data ? chosenRows(spec, data, table.state).map((row) => String(names[row])) : [];
	useBright(board, chosen2);
	let titled = useMemo(() => data && withCategoryTitles(data, (key) => titleOf(key) ?? ""), [data]);
	if (!spec || !titled || !table.count) return jsx(Nothing, { children: "Nothing ran here." });
	let at = (name, row) => titled.columns[name]?.[row];
	return jsx(
		DataTable,
		{
			...table,
			spec,
			data: titled,
			title: "By name",
			show: ["name", "category", "count", "total_ps", "self_ps", "share", "max_ps"],
			what: "Go to longest ▸",
			open: (row) => ways.open({ host: String(at("host", row)), row: Number(at("row", row)) }),
			also: [{ what: "Find all ▸", can: () => !0, open: (row) => find2(String(at("name", row))) }]
		}
	);
}
function ByCategory(props) {
	let { spec, data, ...table } = useTable(props, "area_categories"), titled = useMemo(() => data && withCategoryTitles(data, (key) => titleOf(key) ?? "unknown category"), [data]);
	return !spec || !titled || !table.count ? jsx(Nothing, { children: "Nothing ran here." }) : jsx(DataTable, { ...table, spec, data: titled, title: "By category" });
}
function useOutlined(board, named2, data, filter) {
	useEffect(() => {
		if (!(!named2 || !data))
			return board.gaps = gapsOf(data, pickRows(named2.data, named2.spec.columns, filter, null)), board.changed(), () => {
				board.gaps = [], board.changed();
			};
	}, [board, named2, data, filter]);
}
function Gaps(props) {
	let { spec, data, ...table } = useTable(props, "area_gaps"), { board, ways } = props, shown3 = useRef(null), named2 = useMemo(
		() => spec && data && readableGaps(spec, data, board.origin, (host2, row) => board.track(keyOf2(host2, row))),
		[spec, data, board]
	);
	if (useOutlined(board, named2, data, table.state.filter), !named2 || !table.count) return jsx(Nothing, { children: "No idle gaps here, or no stream among the tracks." });
	let at = (name, row) => data.columns[name]?.[row], zoom = (row) => {
		let start = Number(at("start_ps", row)), end = start + Number(at("duration_ps", row)), track = board.track(keyOf2(String(at("host", row)), Number(at("track", row)))), mark3 = { start, end, tracks: track ? [track] : [] };
		board.marks = [...board.marks.filter((one) => one !== shown3.current), mark3], shown3.current = mark3, track && board.reveal(track, 0), board.look(around2(start, end, GAP_SHARE, board.span));
	};
	return jsx(
		DataTable,
		{
			...table,
			...named2,
			setState: (next2) => {
				table.setState(next2);
				let rows = next2.rows !== table.state.rows ? chosenRows(named2.spec, named2.data, next2) : [];
				rows.length === 1 && zoom(rows[0]);
			},
			title: "Idle gaps",
			show: ["track", "start_ps", "duration_ps", "cause", "why"],
			what: "Zoom to gap",
			open: zoom,
			also: [
				{
					what: "Go to cause ▸",
					can: (row) => Number(at("host_row", row) ?? -1) >= 0,
					open: (row) => ways.open({ host: String(at("host", row)), row: Number(at("host_row", row)) })
				}
			]
		}
	);
}
function Flame(props) {
	let { spec, data, ...table } = useTable(props, "area_flame"), [state, setState] = useState({ at: null, find: "" });
	if (!spec || !data || !table.count) return jsx(Nothing, { children: "Nothing ran here." });
	let { csv, json } = table;
	return jsx(
		FlameGraph,
		{
			spec,
			data,
			csv,
			json,
			state,
			setState,
			title: "Flame graph",
			value: "total_ps",
			self: "self_ps",
			most: 1e4
		}
	);
}
function BottomUp(props) {
	let { spec, data, ...table } = useTable(props, "area_bottom_up");
	return !spec || !data || !table.count ? jsx(Nothing, { children: "Nothing ran here." }) : jsx(
		TreeTable,
		{
			...table,
			spec,
			data,
			title: "Bottom-up: names by self time, with their callers",
			state: { ...table.state, sort: table.state.sort ?? { column: "self_ps", down: !0 } },
			label: "name",
			show: ["self_ps", "total_ps", "count"],
			what: "Find all ▸",
			open: (row) => props.find(String(data.columns.name?.[row]))
		}
	);
}

// src/timeline/tabs.tsx
function moved3(key, at, count) {
	if (key === "Home" || key === "End") return key === "Home" ? 0 : count - 1;
	let by = key === "ArrowRight" ? 1 : key === "ArrowLeft" ? -1 : 0;
	return by ? (at + by + count) % count : null;
}
function tabId(id, key) {
	return `${id}-tab-${key}`;
}
function Tabs({ id, label: label2, tabs, chosen: chosen2, choose, children }) {
	return jsxs("div", { class: "trace-tabs", children: [
		jsx("div", { role: "tablist", "aria-label": label2, onKeyDown: (event) => {
			let at = tabs.findIndex(([key]) => key === chosen2), to = moved3(event.key, at, tabs.length), next2 = to === null ? void 0 : tabs[to];
			if (to === null || !next2) return;
			choose(next2[0]), event.currentTarget.querySelectorAll("[role=tab]")[to]?.focus(), event.preventDefault(), event.stopPropagation();
		}, children: tabs.map(([key, words4, help]) => jsx(
			"button",
			{
				id: tabId(id, key),
				type: "button",
				role: "tab",
				title: help,
				"aria-selected": key === chosen2,
				"aria-controls": id,
				tabIndex: key === chosen2 ? 0 : -1,
				onClick: () => choose(key),
				children: words4
			},
			key
		)) }),
		children
	] });
}
function TabPanel({ id, chosen: chosen2, class: name, isAlone = !1, children }) {
	let panel = isAlone ? {} : { role: "tabpanel", id, "aria-labelledby": tabId(id, chosen2) };
	return jsx("div", { ...panel, class: name, children });
}

// src/timeline/use_area.ts
var REST_MS4 = 120;
function useArea(board, area) {
	let [asked3, setAsked] = useState({ answer: null, area: null, error: null }), key = area ? JSON.stringify(areaOptions(area)) : "";
	useEffect(() => {
		if (!area) {
			setAsked({ answer: null, area: null, error: null });
			return;
		}
		let abort = new AbortController(), settle = (next2) => {
			abort.signal.aborted || setAsked((old) => ({ ...old, error: null, ...next2, area }));
		}, timer = setTimeout(() => {
			board.ask(areaOptions(area), abort.signal).then(
				(answer) => settle({ answer }),
				(reason) => settle({ error: asApiError(reason) })
			);
		}, REST_MS4);
		return () => {
			clearTimeout(timer), abort.abort();
		};
	}, [board, key]);
	let before = asked3.area ? JSON.stringify(areaOptions(asked3.area)) : "";
	return { ...asked3, waiting: before !== key };
}

// src/timeline/area_panel.tsx
var TABS = [
	["names", "By name", "Count and time of every name"],
	["categories", "By category"],
	["gaps", "Gaps", "Idle gaps and their causes"],
	["flame", "Flame graph", "By stack, merged by name"],
	["bottom_up", "Bottom-up", "By self time, with callers"]
], PANEL = "trace-area-part", PARTS3 = {
	names: ByName,
	categories: ByCategory,
	gaps: Gaps,
	flame: Flame,
	bottom_up: BottomUp
};
function AreaPanel({ area, close, ...more }) {
	let { board } = more, asked3 = useArea(board, area), [tab, choose] = useState("names"), Part = PARTS3[tab], { answer } = asked3, { start, end } = area.view;
	return jsxs("section", { class: "trace-part", "aria-label": "Selected area", "aria-busy": asked3.waiting, children: [
		jsxs("header", { children: [
			jsxs("h2", { title: `${exactTime(start - board.origin)} to ${exactTime(end - board.origin)}`, children: [
				formatNumber(length(area.view), "ps"),
				" ",
				jsxs("span", { class: "soft", children: [
					"from ",
					exactTime(start - board.origin)
				] })
			] }),
			jsx("span", { class: "trace-sums", "aria-live": "polite", children: answer && asked3.area && sumsOf(answer, asked3.area).map((text3) => jsx("span", { children: text3 }, text3)) }),
			jsx("span", { class: "grow" }),
			jsx("button", { type: "button", title: "Zoom to the area (F)", onClick: () => board.look(area.view), children: "Zoom to area" }),
			jsx("button", { type: "button", onClick: close, "aria-label": "Clear the area", title: "Esc", children: "×" })
		] }),
		jsx(Tabs, { id: PANEL, label: "Events of the area", tabs: TABS, chosen: tab, choose }),
		asked3.error && jsx(Failure, { error: asked3.error }),
		jsx(TabPanel, { id: PANEL, chosen: tab, class: `trace-scroll trace-table ${asked3.waiting ? "dimmed" : ""}`, children: answer && asked3.area && !asked3.error && jsx(Boundary, { what: tab, children: jsx(Part, { ...more, answer, area: asked3.area }, tab) }) })
	] });
}

// src/timeline/compare_panel.tsx
var TABS2 = [
	["compare_names", "By name", "Every name of either range"],
	["compare_categories", "By category"]
], PANEL2 = "trace-compare-part", PLAIN2 = { filter: "", sort: null, columns: null, rows: "", open: "" }, SHARE = 0.9;
function useCompared(board, options2) {
	let [asked3, setAsked] = useState({ answer: null, error: null, key: "" }), key = JSON.stringify(options2);
	return useEffect(() => {
		let abort = new AbortController(), settle = (next2) => {
			abort.signal.aborted || setAsked((old) => ({ ...old, error: null, ...next2, key }));
		};
		return board.ask(options2, abort.signal).then(
			(answer) => settle({ answer }),
			(reason) => settle({ error: asApiError(reason) })
		), () => abort.abort();
	}, [board, key]), { ...asked3, waiting: asked3.key !== key };
}
function SideButton({ board, side, name }) {
	let { view } = side;
	return jsxs(
		"button",
		{
			type: "button",
			title: `${name}: ${exactTime(view.start - board.origin)}, ${formatNumber(length(view), "ps")}
Click to show it`,
			onClick: () => {
				board.range = view, board.look(around2(view.start, view.end, SHARE, board.span));
			},
			children: [
				name,
				" ",
				jsx("b", { children: sideInWords(side) }),
				side.step && jsxs("span", { class: "soft", children: [
					" ",
					formatNumber(length(view), "ps")
				] })
			]
		}
	);
}
function Table3({
	page,
	board,
	find: find2,
	answer,
	tab,
	url
}) {
	let [state, setState] = useState(PLAIN2), spec = page.tool.tables.find(({ name: name2 }) => name2 === tab), data = answer.tables[tab], titled = useMemo(() => data && withCategoryTitles(data, (key) => titleOf(key) ?? "unknown category"), [data]);
	if (!spec || !titled || !rowCount(titled)) return jsx("p", { class: "soft trace-hint", children: "Nothing ran in either." });
	let all = Number(answer.summary[`${tab}_rows`] ?? 0), shown3 = rowCount(titled), name = (row) => String(titled.columns.name?.[row] ?? "");
	return jsx(
		DataTable,
		{
			spec,
			state,
			setState,
			data: titled,
			title: spec.title,
			csv: board.url({ ...url, format: "csv", table: tab }),
			json: board.url(url),
			more: all > shown3 && jsxs("span", { class: "soft", children: [
				"the ",
				grouped(shown3),
				" of ",
				grouped(all),
				" that differ most"
			] }),
			...tab === "compare_names" ? { what: "Find all ▸", open: (row) => find2(name(row)) } : {}
		}
	);
}
function ComparePanel({ page, board, compared, find: find2 }) {
	useFollow(board, ({ steps: steps2, isListed }) => [steps2, isListed]);
	let [tab, choose] = useState("compare_names"), { steps } = board, sides = useMemo(() => sidesOf(compared, steps), [compared, steps]), options2 = compareOptions(sides, board.list.all(), board.hostCount > 1), { answer, error, waiting } = useCompared(board, options2), categories = answer?.tables.compare_categories, set = (next2) => {
		board.compared = next2, board.changed();
	};
	return jsxs("section", { class: "trace-part", "aria-label": "Comparison", "aria-busy": waiting, children: [
		jsxs("header", { children: [
			jsx(SideButton, { board, side: sides[0], name: "A" }),
			jsx(
				"button",
				{
					type: "button",
					"aria-label": "Swap A and B",
					title: "Swap A and B",
					onClick: () => set({ a: compared.b, b: compared.a }),
					children: "⇄"
				}
			),
			jsx(SideButton, { board, side: sides[1], name: "B" }),
			jsx("span", { class: "grow" }),
			jsx("button", { type: "button", onClick: () => set(null), "aria-label": "End the comparison", children: "×" })
		] }),
		categories && !error && jsx("p", { class: "trace-said", "aria-live": "polite", children: differenceInWords(sides, categories, (key) => titleOf(key) ?? "events without a category") }),
		jsx(Tabs, { id: PANEL2, label: "Comparison by", tabs: TABS2, chosen: tab, choose }),
		error && jsx(Failure, { error }),
		jsx(TabPanel, { id: PANEL2, chosen: tab, class: `trace-scroll trace-table ${waiting ? "dimmed" : ""}`, children: answer && !error && jsx(Table3, { page, board, find: find2, answer, tab, url: options2 }, tab) })
	] });
}

// src/timeline/find_box.tsx
function countOf({ page, at, error }) {
	return !page || error ? "" : page.total ? at < 0 ? counted(page.total, "hit") : `${grouped(at + 1)} of ${grouped(page.total)}` : "no hits";
}
var HOW = [
	["regex", ".*", "Regular expression"],
	["exact", "=", "Whole name"]
];
function FindBox({ searching }) {
	let { find: find2, change, page, error, step, waiting } = searching, onKeyDown2 = (event) => {
		let box = event.currentTarget;
		if (event.key === "Enter") step(event.shiftKey ? -1 : 1);
		else if (event.key === "Escape") box.blur();
		else return;
		event.preventDefault(), event.stopPropagation();
	}, none = !page?.total, isRow = find2.match === "row";
	return jsxs("div", { class: "trace-search", role: "search", children: [
		isRow && jsxs(
			"button",
			{
				type: "button",
				class: "trace-row-of",
				title: `${rowInWords2(find2.text)}
Click to clear the highlight`,
				"aria-label": "Clear highlight",
				onClick: () => change(NO_FIND),
				children: [
					jsx("span", { children: rowInWords2(find2.text) }),
					" ×"
				]
			}
		),
		jsx(
			"input",
			{
				type: "search",
				value: isRow ? "" : find2.text,
				placeholder: "Find events  /",
				"aria-label": "Find events by name, op or argument",
				spellcheck: !1,
				"aria-invalid": !!error,
				"aria-describedby": error ? "trace-find-error" : void 0,
				onInput: (event) => {
					let text3 = event.currentTarget.value;
					change(isRow ? { ...NO_FIND, text: text3 } : { ...find2, text: text3 });
				},
				onKeyDown: onKeyDown2
			}
		),
		HOW.map(([match, sign, help]) => jsx(
			"button",
			{
				type: "button",
				"aria-pressed": find2.match === match,
				"aria-label": help,
				title: help,
				onClick: () => change(isRow ? { ...NO_FIND, match } : { ...find2, match: find2.match === match ? "text" : match }),
				children: sign
			},
			match
		)),
		jsx("button", { type: "button", disabled: none, "aria-label": "Previous hit", title: "Shift Enter, N", onClick: () => step(-1), children: "↑" }),
		jsx("button", { type: "button", disabled: none, "aria-label": "Next hit", title: "Enter, n", onClick: () => step(1), children: "↓" }),
		jsx("span", { class: "soft", role: "status", "aria-busy": waiting, children: countOf(searching) }),
		error && jsx("p", { id: "trace-find-error", class: "trace-find-error", role: "alert", children: error })
	] });
}

// src/timeline/find_panel.tsx
var LISTED = 200, PLACES2 = [
	["names", "in names and ops"],
	["args", "in arguments"],
	["all", "in names and arguments"]
];
function WhereSelect({ searching: { find: find2, change } }) {
	return jsx(
		"select",
		{
			"aria-label": "Search in",
			value: find2.in,
			onChange: (event) => change({ ...find2, in: event.currentTarget.value }),
			children: PLACES2.map(([value, words4]) => jsx("option", { value, children: words4 }, value))
		}
	);
}
function Within({ board, searching: { within, setWithin } }) {
	let marked2 = board.area?.view ?? board.range;
	return !marked2 && !within ? null : jsxs("label", { title: "Only events that overlap the selected time", children: [
		jsx(
			"input",
			{
				type: "checkbox",
				checked: within !== null,
				onChange: (event) => setWithin(event.currentTarget.checked ? marked2 : null)
			}
		),
		" ",
		"selected time"
	] });
}
function ByName2({ searching }) {
	let { page, find: find2, change } = searching, names = page?.names ?? [];
	return names.length < 2 ? null : jsxs("details", { children: [
		jsxs("summary", { children: [
			"By name ",
			jsx("span", { class: "soft", children: grouped(names.length) })
		] }),
		jsxs("ul", { children: [
			names.slice(0, LISTED).map(({ name, hits, total: total2 }) => jsx("li", { children: jsxs(
				"button",
				{
					type: "button",
					title: `Only events with this name
${name}`,
					onClick: () => change({ ...find2, text: name, match: "exact" }),
					children: [
						jsx(Name, { text: name }),
						jsxs("span", { class: "number", children: [
							grouped(hits),
							" ×"
						] }),
						jsx("span", { class: "number", children: formatNumber(total2, "ps") })
					]
				}
			) }, name)),
			names.length > LISTED && jsxs("li", { class: "soft", children: [
				grouped(names.length - LISTED),
				" more names"
			] })
		] })
	] });
}
function ByTrack({ board, searching }) {
	let { page, only, setOnly } = searching, tracks = page?.tracks ?? [];
	return tracks.length < 2 && !only ? null : jsxs("details", { open: only !== "", children: [
		jsxs("summary", { children: [
			"By track ",
			jsx("span", { class: "soft", children: grouped(tracks.length) })
		] }),
		jsxs("ul", { children: [
			tracks.slice(0, LISTED).map(({ key, hits }) => jsx("li", { children: jsxs(
				"button",
				{
					type: "button",
					"aria-pressed": only === key,
					title: only === key ? "On all tracks" : "Only on this track",
					onClick: () => setOnly(only === key ? "" : key),
					children: [
						jsx(Name, { text: placeInWords(board, key) }),
						jsxs("span", { class: "number", children: [
							grouped(hits),
							" ×"
						] })
					]
				}
			) }, key)),
			tracks.length > LISTED && jsxs("li", { class: "soft", children: [
				grouped(tracks.length - LISTED),
				" more tracks"
			] })
		] })
	] });
}
function placeInWords(board, key) {
	let { groups, hostCount } = board, one = board.track(key);
	if (!one) return key;
	let group2 = groups.find((each) => each.key === one.group), isOne = groups.filter(({ host: host2 }) => host2 === one.host).length < 2;
	return [hostCount > 1 ? one.host : "", isOne ? "" : group2?.name, one.name].filter(Boolean).join(" · ");
}
function Pager({ searching }) {
	let { page, size, turn } = searching;
	if (!page || page.total <= size || !size) return null;
	let last2 = Math.min(page.first + size, page.total);
	return jsxs("nav", { class: "trace-pager", "aria-label": "Pages of hits", children: [
		jsx(
			"button",
			{
				type: "button",
				disabled: page.first === 0,
				"aria-label": "Previous page",
				onClick: () => turn(page.first - size),
				children: "‹"
			}
		),
		jsxs("span", { class: "soft", children: [
			grouped(page.first + 1),
			"–",
			grouped(last2),
			" of ",
			grouped(page.total)
		] }),
		jsx("button", { type: "button", disabled: last2 >= page.total, "aria-label": "Next page", onClick: () => turn(last2), children: "›" })
	] });
}
function Hits({ board, searching }) {
	let { page, at, show: show2 } = searching, list = useRef(null);
	return useEffect(() => {
		list.current?.querySelector("[aria-current=true]")?.scrollIntoView({ block: "nearest" });
	}, [at, page]), jsx("ol", { ref: list, start: (page?.first ?? 0) + 1, children: page?.hits.map((hit2, i) => jsx("li", { children: jsxs(
		"button",
		{
			type: "button",
			"aria-current": page.first + i === at,
			onClick: () => show2(page.first + i),
			title: hit2.name,
			children: [
				jsx("span", { class: "number", children: exactTime(hit2.start - board.origin) }),
				jsx(Name, { text: hit2.name || (hit2.row < 0 ? "(time range)" : "(no name)") }),
				jsx("span", { class: "number", children: formatNumber(hit2.duration, "ps") })
			]
		}
	) }, i)) });
}
function FindPanel({ board, searching, close }) {
	let { error, find: find2, page } = searching;
	return jsxs("section", { class: "trace-hits", "aria-label": "Hits", children: [
		jsxs("header", { children: [
			jsx("h2", { children: countOf(searching) || "Find" }),
			jsx("span", { class: "grow" }),
			jsx(Pager, { searching }),
			jsx("button", { type: "button", onClick: close, "aria-label": "Close search", children: "×" })
		] }),
		jsxs("div", { class: "trace-scroll", children: [
			page?.said && !error && jsx("p", { class: "trace-said", children: jsx(Words, { text: page.said }) }),
			jsxs("p", { class: "trace-choose", children: [
				find2.match !== "row" && jsx(WhereSelect, { searching }),
				jsx(Within, { board, searching })
			] }),
			error ? jsx("p", { class: "trace-hint soft", children: "No search: see the message in the search box." }) : jsxs(Fragment2, { children: [
				jsx(ByName2, { searching }),
				jsx(ByTrack, { board, searching }),
				jsx(Hits, { board, searching })
			] })
		] })
	] });
}

// src/timeline/relatives.tsx
var LISTED2 = 100;
function walk(event) {
	let by = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0, buttons = [...event.currentTarget.querySelectorAll("button")], next2 = buttons[buttons.indexOf(document.activeElement) + by];
	!by || !next2 || (next2.focus(), event.preventDefault(), event.stopPropagation());
}
function LinkList({ board, host: host2, links, why, go: go2, point: point2 }) {
	if (!links.length) return null;
	let isFull = links.filter(({ kind }) => kind === "kernel").length >= LISTED2;
	return jsxs("section", { "aria-label": "Related", children: [
		jsx("h3", { children: "Related" }),
		jsx("ol", { class: "trace-links", onKeyDown: walk, onPointerLeave: () => point2(null), children: links.map((link, i) => jsxs("li", { children: [
			jsxs(
				"button",
				{
					type: "button",
					title: `${link.text || link.name}
${exactTime(link.start - board.origin)}, ${formatNumber(link.duration, "ps")}`,
					onClick: () => go2(link),
					onPointerEnter: () => point2(link),
					onFocus: () => point2(link),
					onBlur: () => point2(null),
					children: [
						jsx("span", { class: "soft", children: kindInWords(link.kind) }),
						jsx(Name, { text: `${link.host === host2 ? "" : `${link.host} · `}${link.name || "(no name)"}` }),
						jsx("span", { class: "number", children: formatNumber(link.duration, "ps") })
					]
				}
			),
			link.text && link.text !== why && jsx("p", { class: "soft", children: jsx(Words, { text: link.text }) })
		] }, i)) }),
		isFull && jsxs("p", { class: "soft", children: [
			"No more than ",
			LISTED2,
			" launches are listed; an area over them sums all."
		] })
	] });
}
function StackList({ host: host2, stack, open }) {
	return stack.length ? jsxs("section", { "aria-label": "Stack", children: [
		jsx("h3", { children: "Stack, outermost first" }),
		jsx("ol", { class: "trace-stack", onKeyDown: walk, children: stack.map(({ name, row, duration }, i) => jsx("li", { style: { "--deep": i }, children: row === null ? jsx(Name, { text: name }) : jsxs("button", { type: "button", onClick: () => open({ host: host2, row }), children: [
			jsx(Name, { text: name }),
			duration !== null && jsx("span", { class: "number soft", children: formatNumber(duration, "ps") })
		] }) }, i)) })
	] }) : null;
}

// src/timeline/slice_panel.tsx
var SHOWN = 2e3;
function Value({ text: text3 }) {
	let [whole4, setWhole] = useState(!1);
	return whole4 || text3.length <= SHOWN ? jsx(Fragment2, { children: text3 }) : jsxs(Fragment2, { children: [
		text3.slice(0, SHOWN),
		"…",
		" ",
		jsxs("button", { type: "button", class: "link", onClick: () => setWhole(!0), children: [
			"all ",
			grouped(text3.length),
			" characters"
		] })
	] });
}
var OTHERS = ["parent", "launch", "kernel"];
function FactValue({ fact, origin, host: host2, open }) {
	let [, row, name] = /^(\d+) (.*)$/s.exec(fact.value) ?? [];
	if (fact.group === "event" && OTHERS.includes(fact.key) && row)
		return jsx("button", { type: "button", class: "link", onClick: () => open({ host: host2, row: Number(row) }), children: jsx(Name, { text: name || "(no name)" }) });
	let { text: text3, exact } = saidOf(fact, origin);
	return exact ? jsx("span", { title: exact, children: text3 }) : jsx(Value, { text: text3 });
}
function Facts2({ board, host: host2, related, open }) {
	return groupsOf(related).map(({ title, facts }) => jsxs("section", { "aria-label": title, children: [
		jsx("h3", { children: title }),
		jsx("dl", { children: facts.map((fact, i) => jsxs("div", { children: [
			jsx("dt", { title: fact.key, children: saidOf(fact, board.origin).name }),
			jsx("dd", { children: jsx(FactValue, { fact, origin: board.origin, host: host2, open }) })
		] }, i)) })
	] }, title));
}
function Callers({ related }) {
	let frames = callersOf(related);
	return frames.length ? jsxs("section", { "aria-label": "Called from", children: [
		jsx("h3", { children: "Called from, innermost first" }),
		jsx("ol", { class: "trace-callers", children: frames.map((frame, i) => jsx("li", { children: jsx(Name, { text: frame }) }, i)) })
	] }) : null;
}
function Merged({ board, slice }) {
	let busy = slice.duration ? `, ${percent(1 - slice.idle / slice.duration)} busy` : "";
	return jsxs("p", { children: [
		counted(slice.count, "event"),
		" in ",
		formatNumber(slice.duration, "ps"),
		busy,
		", each too short to be drawn separately.",
		" ",
		jsx("button", { type: "button", onClick: () => board.fit(), children: "Zoom in (F)" })
	] });
}
function copied(slice, related) {
	let facts = (related?.facts ?? []).map((f) => `${f.key}	${f.value}`), links = (related?.links ?? []).map((l) => `${l.kind}	${l.name}	${l.text}`);
	return [slice.name, related?.why ?? "", related?.last ?? "", ...facts, ...links].filter(Boolean).join(`
`);
}
function useArrows(board, slice, related, shown3) {
	useEffect(() => {
		board.arrows = related ? arrowsOf(placeOfSlice(slice), related.links, keyOf2, shown3) : [], board.changed();
	}, [board, slice, related, shown3]), useEffect(
		() => () => {
			board.arrows = [], board.changed();
		},
		[board]
	);
}
function SlicePanel({ board, slice, ways }) {
	let event = slice.count > 1 ? null : keyOf2(slice.track.host, slice.row), { related, error } = useRelated(board, event), [pointed, point2] = useState(null);
	useArrows(board, slice, related, pointed);
	let { host: host2 } = slice.track;
	return jsxs(
		"section",
		{
			class: "trace-details",
			"aria-label": "Selected slice",
			"aria-live": "polite",
			"aria-busy": !!(event && !related),
			children: [
				jsxs("header", { children: [
					ways.back && jsx("button", { type: "button", onClick: ways.back, "aria-label": "Back to the previous event", title: "Back", children: "‹" }),
					jsx("h2", { children: jsx(Name, { text: slice.count > 1 ? `mostly ${slice.name}` : slice.name || "(no name)" }) }),
					jsx("span", { class: "soft trace-where", children: slice.track.name }),
					jsx("span", { class: "grow" }),
					event && jsx("button", { type: "button", onClick: () => board.fit(), title: "F", children: "Zoom to slice" }),
					jsx(CopyButton, { text: () => copied(slice, related), label: "Copy", title: "Copy details" }),
					jsx("button", { type: "button", onClick: ways.close, "aria-label": "Close", title: "Esc", children: "×" })
				] }),
				error && jsx(Failure, { error }),
				!event && jsx(Merged, { board, slice }),
				event && related && jsxs("div", { class: "trace-known", children: [
					related.why && jsx("p", { class: "trace-why", children: jsx(Words, { text: related.why }) }),
					related.last && jsxs("p", { class: "trace-last", children: [
						jsx("span", { class: "soft", children: "Last to arrive:" }),
						" ",
						jsx(Words, { text: related.last })
					] }),
					jsxs("div", { class: "trace-abreast", children: [
						jsxs("div", { class: "trace-facts", children: [
							jsx(Facts2, { board, host: host2, related, open: ways.open }),
							jsx(Callers, { related })
						] }),
						jsx(LinkList, { board, host: host2, point: point2, links: related.links, why: related.why, go: ways.go }),
						jsx(StackList, { host: host2, stack: related.stack, open: ways.open })
					] })
				] })
			]
		}
	);
}

// src/timeline/splitter.tsx
var [FIRST, STEP2, LEAST2, MOST4] = [288, 24, 96, 0.75], kept = null;
function Splitter({ children }) {
	let [height, setHeight] = useState(kept ?? Math.min(FIRST, Math.round(window.innerHeight * 0.45))), drag = useRef(null), most = Math.max(LEAST2, Math.round(window.innerHeight * MOST4)), set = (next2) => {
		kept = Math.min(most, Math.max(LEAST2, next2)), setHeight(kept);
	};
	return jsxs("div", { class: "trace-below", style: { height: `${height}px` }, children: [
		jsx(
			"div",
			{
				class: "trace-split",
				role: "separator",
				tabIndex: 0,
				"aria-orientation": "horizontal",
				"aria-label": "Height of the panel below",
				"aria-valuenow": height,
				"aria-valuemin": LEAST2,
				"aria-valuemax": most,
				onPointerDown: (event) => {
					drag.current = { y: event.clientY, height }, event.currentTarget.setPointerCapture(event.pointerId);
				},
				onPointerMove: (event) => drag.current && set(drag.current.height + drag.current.y - event.clientY),
				onPointerUp: () => drag.current = null,
				onPointerCancel: () => drag.current = null,
				onDblClick: () => set(FIRST),
				onKeyDown: (event) => {
					let by = event.key === "ArrowUp" ? STEP2 : event.key === "ArrowDown" ? -STEP2 : 0;
					by && (set(height + by), event.preventDefault(), event.stopPropagation());
				}
			}
		),
		children
	] });
}

// src/timeline/commands.ts
function middle2(board) {
	for (let y = RULER + 12; y < board.height; y += 9)
		for (let share of [0.5, 0.25, 0.75, 0.1, 0.9]) {
			let slice = hit(board, share * board.width, y);
			if (slice) return slice;
		}
	return null;
}
function go(board, slice) {
	slice && (board.choose(slice), board.jump(slice));
}
async function beyond(board, { track, row, count }, by) {
	if (count > 1) return null;
	let links = (await board.ask({ event: keyOf2(track.host, row) }).catch(() => null))?.tables.links?.columns, at = links?.kind?.findIndex((kind) => kind === (by > 0 ? "next" : "previous")) ?? -1;
	if (!links || at < 0) return null;
	let of = (name) => Number(links[name]?.[at]), other = board.track(keyOf2(String(links.host?.[at]), of("track"))), [depth, start, duration] = [of("depth"), of("start_ps"), of("duration_ps")];
	return other && {
		track: other,
		depth,
		start,
		duration,
		idle: 0,
		name: String(links.name?.[at]),
		count: 1,
		row: of("row")
	};
}
async function sliceBeside(board, by) {
	let { selected: selected2 } = board, found = (selected2 ? neighbour(board, selected2, by) : middle2(board)) ?? (selected2 && await beyond(board, selected2, by));
	board.selected === selected2 && go(board, found);
}
function sliceAcross(board, by) {
	let { selected: selected2, layout: layout3, view } = board;
	if (!selected2) return go(board, middle2(board));
	let rows = [...layout3.pinned, ...layout3.rows], at = rows.findIndex((row) => row.track?.key === selected2.track.key), depth = selected2.depth + by, time2 = Math.min(Math.max(selected2.start, view.start), view.end);
	for (; at >= 0 && at < rows.length; at += by) {
		let track = rows[at].track;
		if (track)
			for (track.key !== selected2.track.key && (depth = by > 0 ? 0 : track.lanes - 1); depth >= 0 && depth < track.lanes; depth += by) {
				let slices = layersOf(board, track.key).pop(), found = slices && nearest(slices, track, depth, time2, view.end - view.start);
				if (found) return go(board, found);
			}
	}
}
var STEP_SHARE = 0.9;
function openStep(board, step) {
	let { start, end } = step;
	board.range = { start, end }, board.look(around2(start, Math.max(end, start + 1), STEP_SHARE, board.span));
}
function stepOn(board, by) {
	let steps = stepsOfHost(board.steps, board.selected?.track.host), step = stepBeside(steps, board.range ?? board.view, by);
	step && openStep(board, step);
}
function marked({ area, range, selected: selected2 }) {
	return area ? { ...area.view, tracks: area.tracks } : range ? { ...range, tracks: [] } : selected2 && { start: selected2.start, end: selected2.start + selected2.duration, tracks: [selected2.track] };
}
function toggleMark(board) {
	let mark3 = marked(board);
	if (!mark3) return;
	let isOther = ({ start, end, tracks }) => start !== mark3.start || end !== mark3.end || ranges(tracks) !== ranges(mark3.tracks), others = board.marks.filter(isOther);
	board.marks = others.length < board.marks.length ? others : [...others, mark3], board.changed();
}
function atEnd(board, end) {
	let long = board.view.end - board.view.start, { span: span2 } = board;
	return end === "start" ? { start: span2.start, end: span2.start + long } : { start: span2.end - long, end: span2.end };
}
function toggleSum(board) {
	let { area, range, view } = board, { start, end } = range ?? view, isThis = area?.view.start === start && area.view.end === end && !area.tracks.length;
	board.area = isThis ? null : { view: { start, end }, tracks: [] }, board.changed();
}
function dropOne(board) {
	board.area ? board.area = null : board.range ? board.range = null : board.selected = null, board.changed();
}
function toggleColours(board) {
	board.colours = board.colours === "name" ? "category" : "name", board.changed();
}

// src/timeline/steps_panel.tsx
var ROW_PX5 = 24;
function stepShown(steps, { range, view }) {
	if (range) return steps.findIndex(({ start, end }) => start === range.start && end === range.end);
	let middle3 = (view.start + view.end) / 2, most = (view.end - view.start) / 2;
	return steps.findIndex(({ start, end }) => start <= middle3 && middle3 < end && end - start > most);
}
function stepsListed(steps, text3, longestFirst) {
	let words4 = text3.trim().toLowerCase(), found = steps.filter(({ name, number: number3 }) => `${number3} ${name}`.toLowerCase().includes(words4));
	return longestFirst ? found.sort((a, b) => b.end - b.start - (a.end - a.start)) : found;
}
function otherOf(steps, marked2, step) {
	return marked2 && marked2 !== step && marked2.host === step.host ? marked2 : typicalStep(steps, step);
}
function compareWith(board, marked2, step) {
	let other = otherOf(board.steps, marked2, step);
	if (!other) return;
	let view = ({ start, end }) => ({ start, end });
	board.compared = { a: view(other), b: view(step) }, board.changed();
}
function StepsPanel({ board, close }) {
	let steps = board.steps ?? [], [text3, setText] = useState(""), [longestFirst, setLongestFirst] = useState(!1), shown3 = useMemo(() => stepsListed(steps, text3, longestFirst), [steps, text3, longestFirst]), chosen2 = useRef(null);
	useFollow(board, ({ range: range2 }) => [range2]);
	let { range } = board, current2 = chosen2.current && chosen2.current.start === range?.start && chosen2.current.end === range.end ? chosen2.current : steps[stepShown(steps, board)], at = current2 ? shown3.indexOf(current2) : -1, scroller = useRef(null), virtual = useVirtualRows(scroller, shown3.length, ROW_PX5, 0);
	useEffect(() => {
		at >= 0 && virtual.scrollToIndex(at);
	}, [at]), useEffect(() => {
		longestFirst && virtual.scrollToIndex(0);
	}, [longestFirst]);
	let go2 = (index) => {
		let step = shown3[index];
		step && (chosen2.current = step, openStep(board, step));
	}, onKeyDown2 = (event) => {
		let by = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
		by && (go2(Math.max(0, Math.min(shown3.length - 1, at + by))), event.preventDefault(), event.stopPropagation());
	}, found = board.stepsFound, longest2 = steps.reduce((most, { start, end }) => Math.max(most, end - start), 1), hosts = new Set(steps.map(({ host: host2 }) => host2)).size;
	return jsxs("section", { class: "trace-hits trace-steps", "aria-label": "Steps", children: [
		jsxs("header", { children: [
			jsxs("h2", { children: [
				grouped(steps.length),
				" steps"
			] }),
			found && jsx("span", { class: found.isGuess ? "fair trace-where" : "soft trace-where", title: found.more.replaceAll("`", ""), children: found.by }),
			jsx(
				"input",
				{
					type: "search",
					value: text3,
					placeholder: "Find a step",
					"aria-label": "Find a step",
					onInput: (event) => setText(event.currentTarget.value),
					onKeyDown: (event) => event.key === "Enter" && go2(0)
				}
			),
			jsx("button", { type: "button", "aria-pressed": longestFirst, onClick: () => setLongestFirst(!longestFirst), children: "Longest first" }),
			jsx("span", { class: "grow" }),
			jsx("button", { type: "button", onClick: close, "aria-label": "Close the list of steps", children: "×" })
		] }),
		found?.isGuess && jsx("p", { class: "trace-said", children: jsx(Words, { text: found.more }) }),
		jsx("div", { class: "trace-scroll", ref: scroller, onKeyDown: onKeyDown2, children: jsx("ol", { style: { height: `${virtual.getTotalSize()}px` }, children: virtual.getVirtualItems().map(({ index, start }) => {
			let step = shown3[index];
			return jsxs("li", { class: "trace-step", style: { transform: `translateY(${start}px)` }, children: [
				jsxs("button", { type: "button", "aria-current": index === at, onClick: () => go2(index), children: [
					jsx("span", { class: "number", children: exactTime(step.start - board.origin) }),
					jsx(Name, { text: hosts > 1 ? `${step.name} · ${step.host}` : step.name || String(step.number) }),
					jsxs("span", { class: "number share", children: [
						jsx("b", { style: { width: `${100 * (step.end - step.start) / longest2}%` } }),
						jsx("span", { children: formatNumber(step.end - step.start, "ps") })
					] })
				] }),
				jsx(
					"button",
					{
						type: "button",
						class: "trace-with",
						title: "Compare with the marked step, or with a typical one",
						"aria-label": `Compare step ${step.number}`,
						onClick: () => compareWith(board, current2, step),
						children: "A|B"
					}
				)
			] }, index);
		}) }) })
	] });
}

// src/timeline/drawer.tsx
var NARROW = "(max-width: 900px)", TRAIL = 50, WORDS3 = {
	find: "Find",
	steps: "Steps",
	slice: "Slice",
	area: "Area",
	compare: "Compare"
}, LEFT2 = ["find", "steps"], RIGHT2 = ["slice", "area", "compare"];
function useNarrow() {
	let [narrow, setNarrow] = useState(() => matchMedia(NARROW).matches);
	return useEffect(() => {
		let query = matchMedia(NARROW), follow4 = () => setNarrow(query.matches);
		return query.addEventListener("change", follow4), () => query.removeEventListener("change", follow4);
	}, []), narrow;
}
function useWays(board) {
	let trail = useRef([]), select = (slice) => {
		board.choose(slice), slice && board.jump(slice);
	}, leave = () => {
		board.selected && (trail.current = [...trail.current, board.selected].slice(-TRAIL));
	}, before = trail.current[trail.current.length - 1];
	return {
		go(place2) {
			let slice = sliceOf(board, place2);
			slice && (leave(), select(slice));
		},
		open({ host: host2, row }) {
			leave(), openEvent(board, keyOf2(host2, row));
		},
		back: before ? () => {
			trail.current.pop(), select(before);
		} : null,
		close: () => board.choose(null)
	};
}
function useShown2(here2, marks) {
	let [order, setOrder] = useState([]), choose = (part) => setOrder((old) => [part, ...old.filter((one) => one !== part)]);
	for (let part of Object.keys(WORDS3))
		useEffect(() => {
			marks[part] && choose(part);
		}, [marks[part]]);
	let rank = (part) => order.includes(part) ? order.indexOf(part) : 1 / 0;
	return [[...here2].sort((a, b) => rank(a) - rank(b)), choose];
}
function Drawer({ page, board, searching, steps, setSteps }) {
	useFollow(board, ({ selected: selected2, area: area2, range, compared, steps: all }) => [selected2, area2, range, compared, all]);
	let ways = useWays(board), narrow = useNarrow(), area = board.area ?? null, { text: text3, match } = searching.find, marks = { find: text3 && `${match} ${text3}`, steps, slice: board.selected, area, compare: board.compared }, here2 = Object.keys(WORDS3).filter((part) => marks[part]), [shown3, choose] = useShown2(here2, marks);
	if (!here2.length) return null;
	let drop = () => {
		board.area = null, board.changed();
	}, find2 = (name) => searching.change({ text: name, match: "exact", in: "names" }), parts2 = {
		find: () => jsx(FindPanel, { board, searching, close: () => searching.change({ ...searching.find, text: "" }) }),
		steps: () => jsx(StepsPanel, { board, close: () => setSteps(!1) }),
		slice: () => board.selected && jsx(SlicePanel, { board, slice: board.selected, ways }),
		compare: () => board.compared && jsx(ComparePanel, { page, board, find: find2, compared: board.compared }),
		area: () => area && jsx(AreaPanel, { page, board, area, ways, find: find2, close: drop })
	}, column = (among, label2) => {
		let those = here2.filter((part) => among.includes(part)), first = shown3.find((part) => among.includes(part));
		if (!first) return null;
		let tabs = those.map((part) => [part, WORDS3[part]]), id = `trace-${label2}-part`;
		return jsxs("div", { class: `trace-column ${label2}`, children: [
			those.length > 1 && jsx(Tabs, { id, label: "Details", tabs, chosen: first, choose }),
			jsx(TabPanel, { id, chosen: first, class: "trace-shown-part", isAlone: those.length < 2, children: parts2[first]() })
		] }, label2);
	};
	return jsx(Splitter, { children: jsx("div", { class: "trace-drawer", children: narrow ? column([...LEFT2, ...RIGHT2], "one") : [column(LEFT2, "left"), column(RIGHT2, "right")] }) });
}

// src/timeline/perfetto.ts
var PERFETTO = "https://ui.perfetto.dev";
function openTab() {
	return window.open(PERFETTO);
}
function awake(tab, signal) {
	return new Promise((done) => {
		let end = Date.now() + 6e4, finish = (heard) => {
			clearInterval(timer), window.removeEventListener("message", hear), done(heard);
		}, hear = ({ source, origin, data }) => {
			source === tab && origin === PERFETTO && data === "PONG" && finish(!0);
		}, ping = () => {
			tab.closed || signal.aborted || Date.now() > end ? finish(!1) : tab.postMessage("PING", PERFETTO);
		};
		window.addEventListener("message", hear);
		let timer = setInterval(ping, 100);
	});
}
async function handOver(tab, buffer, title, signal) {
	if (!await awake(tab, signal) || signal.aborted) return !1;
	let fileName = `${title.replace(/[^\w.-]+/g, "_")}.json.gz`;
	return tab.postMessage({ perfetto: { buffer, title, fileName } }, PERFETTO, [buffer]), !0;
}

// src/timeline/use_perfetto.ts
var SAY_MS = 100, LOOK_MS = 500, BLOCKED = "The browser blocked the tab: allow pop-ups for this page, or download the file and open it in Perfetto.", NO_ANSWER = "ui.perfetto.dev did not respond in its tab: is it reachable from here? You can also download the file and open it there.", CLOSED = "The tab of ui.perfetto.dev was closed: nothing was sent.";
function teller(say3) {
	let before = -1 / 0;
	return (bytes2) => {
		let now = performance.now();
		now - before < SAY_MS || (before = now, say3(`Reading the trace: ${formatBytes(bytes2)}…`));
	};
}
async function carry(tab, url, title, signal, say3) {
	let buffer = await getBytes(url, { signal, most: 268435456, heard: teller(say3) }), size = formatBytes(buffer.byteLength);
	say3(`${size} read, waiting for ui.perfetto.dev…`);
	let isTaken = await handOver(tab, buffer, title, signal);
	signal.throwIfAborted(), say3(isTaken ? `${size} sent.` : tab.closed ? CLOSED : NO_ANSWER);
}
function usePerfetto() {
	let [said4, say3] = useState(""), [under, setUnder] = useState(null), latest = useRef(null);
	return latest.current = under, useEffect(() => () => latest.current?.abort(), []), { said: said4, say: say3, start: (url, title) => {
		let tab = openTab();
		if (!tab) return say3(BLOCKED);
		let abort = new AbortController(), look = setInterval(() => tab.closed && abort.abort(CLOSED), LOOK_MS);
		setUnder(abort), say3("Reading the trace…"), carry(tab, url, title, abort.signal, say3).catch((reason) => {
			tab.close(), say3(abort.signal.aborted ? String(abort.signal.reason) : asApiError(reason).message);
		}).finally(() => {
			clearInterval(look), setUnder(null);
		});
	}, cancel: under && (() => under.abort("Cancelled: nothing was sent.")) };
}

// src/timeline/export_menu.tsx
function partsOf2(board) {
	let { area, range, view } = board, marked2 = area?.view ?? range;
	return [
		{ words: "Whole capture", view: null, tracks: [] },
		{ words: "Visible range", view, tracks: [] },
		...marked2 ? [{ words: "Selected area", view: marked2, tracks: area?.tracks ?? [] }] : []
	];
}
function optionsOf5(board, { view, tracks }) {
	let window3 = view && { start_ps: String(Math.floor(view.start)), end_ps: String(Math.ceil(view.end)) };
	return board.options({ ...window3 ?? {}, ...tracks.length ? { tracks: ranges(tracks) } : {} });
}
function ExportMenu({ board, run, hosts }) {
	let { said: said4, say: say3, start, cancel } = usePerfetto(), url = (part) => traceUrl(run, hosts, optionsOf5(board, part)), copy = async () => say3(await copyText(outer.location.href) ? "The link is copied." : "The browser does not allow copying.");
	return jsx(Popover, { label: "Export the trace", button: "Export", class: "right trace-export", children: () => jsxs(Fragment2, { children: [
		jsx("ul", { children: partsOf2(board).map((part) => jsxs("li", { children: [
			jsxs("span", { children: [
				part.words,
				" ",
				jsx("span", { class: "soft", children: formatNumber(length(part.view ?? board.span), "ps") })
			] }),
			jsx("a", { href: url(part), download: !0, children: "Download" }),
			jsx("button", { type: "button", disabled: cancel !== null, onClick: () => start(url(part), run), children: "Open in Perfetto" })
		] }, part.words)) }),
		jsxs("p", { class: "soft", children: [
			"Chrome trace JSON, gzip. “Open in Perfetto” opens ui.perfetto.dev in a new tab and passes the trace to it inside this browser, up to ",
			formatBytes(268435456),
			"; nothing is uploaded, and this page contacts no other server."
		] }),
		jsxs("p", { children: [
			jsx("button", { type: "button", onClick: () => {
				copy();
			}, children: "Copy link to this view" }),
			" ",
			jsx("span", { role: "status", children: said4 }),
			" ",
			cancel && jsx("button", { type: "button", onClick: cancel, children: "Cancel" })
		] })
	] }) });
}

// src/timeline/keys.ts
var SCROLL_STEP = 60, KEYS8 = [
	["W S", "zoom in, out around the pointer; hold to continue (also + −, Ctrl wheel, wheel on the ruler, pinch)"],
	["A D", "move left, right; hold to continue (also Shift wheel, drag, ← → with nothing selected)"],
	["↑ ↓ PgUp PgDn", "scroll the tracks (also wheel, drag)"],
	["0", "the whole capture"],
	["Home End", "its start, its end"],
	["click", "select a slice"],
	[", . ← →", "previous, next slice on its lane"],
	["↑ ↓", "with a slice selected: the slice above, below it"],
	["F, double click", "zoom to the area, the range, or the slice"],
	["Shift drag", "select an area: tracks and a time (touch: hold, then drag)"],
	["B", "drag selects an area, until B is pressed again"],
	["E", "sum the events of the range, or of the visible time, on all tracks: names, categories, gaps"],
	["drag on the ruler", "measure; snaps to edges of slices, Alt: no snapping"],
	["[ ] J", "previous, next step; the list of steps"],
	["M", "mark the area, range or slice, or remove its mark; Shift M: remove all marks"],
	["K", "colours by category, or by name"],
	["Esc", "clear the area, then the range, then the selection"],
	["/", "find events; Enter, N: next hit; Shift Enter, Shift N: previous hit"],
	["T", "filter tracks"],
	["P H C", "pin, hide, compact the track of the selected slice or of the focused label"],
	["U", "reset tracks: all shown, in their order"],
	["Alt ↑ ↓", "on a track's or a group's label: move it (also drag)"],
	["Enter, Shift F10", "on a label: open and close the group; its menu"]
], HELD = {
	w: "in",
	s: "out",
	a: "left",
	d: "right",
	"+": "in",
	"=": "in",
	"-": "out",
	arrowleft: "left",
	arrowright: "right"
};
function nameOf2({ key, code }) {
	let [, letter] = /^Key([A-Z])$/.exec(code) ?? [];
	return (letter && !/^[ -~]/.test(key) ? letter : key).toLowerCase();
}
function ofTrack(board, change) {
	board.selected && board.setChoices(change(board.choices, board.selected.track.key));
}
function pinToggled(choices, key) {
	return withPin(choices, key, !choices.pin.includes(key));
}
function commandOf(board, actions, name, isShift) {
	let isSelected = board.selected !== null, commands = {
		arrowup: () => isSelected ? sliceAcross(board, -1) : board.scrollTo(board.scroll - SCROLL_STEP),
		arrowdown: () => isSelected ? sliceAcross(board, 1) : board.scrollTo(board.scroll + SCROLL_STEP),
		pageup: () => board.scrollTo(board.scroll - board.room),
		pagedown: () => board.scrollTo(board.scroll + board.room),
		",": () => {
			sliceBeside(board, -1);
		},
		".": () => {
			sliceBeside(board, 1);
		},
		"[": () => stepOn(board, -1),
		"]": () => stepOn(board, 1),
		f: () => board.fit(),
		0: () => board.look(board.span),
		home: () => board.look(atEnd(board, "start")),
		end: () => board.look(atEnd(board, "end")),
		b: () => {
			board.selects = !board.selects, board.changed();
		},
		m: () => {
			isShift ? board.marks = [] : toggleMark(board), board.changed();
		},
		p: () => ofTrack(board, pinToggled),
		h: () => ofTrack(board, withHidden),
		c: () => ofTrack(board, withCompact),
		u: () => board.setChoices(restored(board.choices)),
		t: () => actions.filter(),
		e: () => toggleSum(board),
		k: () => toggleColours(board),
		j: () => actions.steps(),
		n: () => actions.step(isShift ? -1 : 1),
		"/": () => actions.find(),
		escape: () => dropOne(board)
	};
	return isSelected && (commands.arrowleft = commands[","], commands.arrowright = commands["."]), commands[name];
}
function onKeyDown(board, event, actions) {
	let name = nameOf2(event), command = commandOf(board, actions, name, event.shiftKey), way = HELD[name];
	if (command) command();
	else if (way)
		board.motion.press(way, performance.now(), board.pointer ?? 0.5), board.changed();
	else return !1;
	return !0;
}
function onKeyUp(board, event) {
	let way = HELD[nameOf2(event)];
	way && board.motion.release(way);
}

// src/timeline/siblings.ts
function siblings({ rows, pinned }, row) {
	if (row.pinned) return pinned;
	let isSibling = (other) => other.level === row.level && other.pinned === row.pinned && (row.level === "host" || other.host === row.host) && (row.level !== "track" || other.group?.key === row.group?.key);
	return rows.filter(isSibling);
}
function moveBefore(board, row, before) {
	board.setChoices(withMove(board.choices, row.key, before));
}
function moveBy(board, row, by) {
	let among = siblings(board.layout, row), at = among.findIndex(({ key }) => key === row.key);
	at < 0 || at + by < 0 || at + by >= among.length || moveBefore(board, row, among[by > 0 ? at + 2 : at - 1]?.key ?? "");
}

// src/timeline/label_keys.ts
function labelOf(key) {
	return document.querySelector(`.trace-row[data-key="${CSS.escape(key)}"]`);
}
function focusRow(board, row) {
	if (!row) return;
	let y = topOf(board.layout, row, board.scroll) - board.layout.pinnedHeight;
	!row.pinned && y < 0 ? board.scrollTo(row.top) : !row.pinned && y + row.height > board.room && board.scrollTo(Math.min(row.top, row.top + row.height - board.room));
	let tries = 5, focus = () => {
		let label2 = labelOf(row.key);
		label2 ? label2.focus({ preventScroll: !0 }) : tries-- && requestAnimationFrame(focus);
	};
	focus();
}
function onLabelKey(board, event, setFocus, menu) {
	let label2 = event.target.closest(".trace-row"), rows = [...board.layout.pinned, ...board.layout.rows], at = rows.findIndex(({ key }) => key === label2?.dataset.key), row = rows[at];
	if (!label2 || !row || event.ctrlKey || event.metaKey) return;
	let isHeader = row.level !== "track", go2 = (to) => {
		let next2 = rows[Math.min(Math.max(to, 0), rows.length - 1)];
		next2 && setFocus(next2.key), focusRow(board, next2);
	}, openMenu = () => {
		let { left: left2, top } = label2.getBoundingClientRect();
		menu({ row, x: left2 + 20, y: top + 20 });
	}, toggle = (open) => {
		isHeader && row.open !== open ? board.toggle(row.key) : open === !1 && !isHeader && go2(rows.findIndex(({ key }) => key === row.track?.group));
	}, move = (by) => {
		moveBy(board, row, by), focusRow(
			board,
			board.layout.rows.find(({ key }) => key === row.key)
		);
	}, keys8 = {
		ArrowUp: () => event.altKey ? move(-1) : go2(at - 1),
		ArrowDown: () => event.altKey ? move(1) : go2(at + 1),
		Home: () => go2(0),
		End: () => go2(rows.length - 1),
		ArrowRight: () => toggle(!0),
		ArrowLeft: () => toggle(!1),
		Enter: () => isHeader ? toggle(null) : openMenu(),
		" ": () => isHeader ? toggle(null) : openMenu(),
		ContextMenu: openMenu,
		p: () => !isHeader && board.setChoices(pinToggled(board.choices, row.key)),
		c: () => row.level !== "host" && board.setChoices(withCompact(board.choices, row.key)),
		h: () => {
			board.setChoices(withHidden(board.choices, row.key)), focusRow(board, board.layout.rows[Math.min(at, board.layout.rows.length - 1)]);
		}
	};
	event.key === "F10" && event.shiftKey && (keys8.F10 = openMenu);
	let act = keys8[event.key];
	!act || event.altKey && !event.key.startsWith("Arrow") || (act(), event.preventDefault(), event.stopPropagation());
}

// src/timeline/label_drag.ts
var CLICK_PX2 = 5, [EDGE_PX, EDGE_STEP] = [24, 12], LabelDrag = class {
	constructor(board, changed2) {
		this.board = board;
		this.changed = changed2;
	}
	board;
	changed;
	/** Key of the row that is dragged, and of the one that it would stand before; empty for the end. */
	key = "";
	before = null;
	/** The press that ends now was a drag, and no click. */
	wasMoved = !1;
	down(event, row) {
		if (this.wasMoved = !1, event.button !== 0 || event.shiftKey || event.pointerType === "touch") return;
		let box = event.currentTarget.closest(".trace-labels").getBoundingClientRect(), from = event.clientY, move = (next2) => {
			!this.key && Math.abs(next2.clientY - from) < CLICK_PX2 || (this.wasMoved = !0, this.key = row.key, this.over(next2.clientY - box.top, row, box.height));
		}, end = () => {
			document.removeEventListener("pointermove", move), document.removeEventListener("pointerup", drop), document.removeEventListener("pointercancel", end), [this.key, this.before] = ["", null], this.changed();
		}, drop = () => {
			this.before !== null && moveBefore(this.board, row, this.before), end();
		};
		document.addEventListener("pointermove", move), document.addEventListener("pointerup", drop), document.addEventListener("pointercancel", end);
	}
	/** The pointer is `y` below the ruler. */
	over(y, row, height) {
		let { board } = this;
		y < EDGE_PX && board.scrollTo(board.scroll - EDGE_STEP), y > Math.min(height, board.height - RULER) - EDGE_PX && board.scrollTo(board.scroll + EDGE_STEP);
		let before = siblings(board.layout, row).find(
			(other) => topOf(board.layout, other, board.scroll) + other.height / 2 > y
		)?.key ?? "";
		before !== this.before && (this.before = before, this.changed());
	}
};

// src/timeline/track_menu.tsx
function trackItems(board, row, track) {
	let { choices } = board, set = (next2) => board.setChoices(next2), group2 = board.groups.find(({ key }) => key === track.group), isPinned = choices.pin.includes(track.key);
	return [
		[isPinned ? "Unpin" : "Pin to the top", () => set(withPin(choices, track.key, !isPinned)), "P"],
		["Hide", () => set(withHidden(choices, track.key)), "H"],
		...group2 && group2.tracks.length > 1 && !row.pinned ? [["Hide others in the group", () => set(withOnly(choices, group2, track.key))]] : [],
		[isCompact(choices, track) ? "Full height" : "Compact", () => set(withCompact(choices, track.key)), "C"],
		[
			"Select its visible part",
			() => {
				board.area = { view: board.view, tracks: [track] }, board.changed();
			}
		]
	];
}
function headerItems(board, row) {
	let { choices, layout: layout3 } = board, others = siblings(layout3, row).filter(({ key }) => key !== row.key), hide = /* @__PURE__ */ new Set([...choices.hide, ...others.map(({ key }) => key)]);
	return [
		[row.open ? "Close" : "Open", () => board.toggle(row.key), "Enter"],
		["Hide", () => board.setChoices(withHidden(choices, row.key)), "H"],
		...others.length ? [["Hide others", () => board.setChoices({ ...choices, hide })]] : [],
		...row.group ? [["Compact or full height", () => board.setChoices(withCompact(choices, row.key)), "C"]] : [],
		["Open all groups", () => board.openAll(!0)],
		["Close all groups", () => board.openAll(!1)]
	];
}
function itemsOf(board, row) {
	let among = siblings(board.layout, row), at = among.findIndex(({ key }) => key === row.key);
	return [
		...row.track ? trackItems(board, row, row.track) : headerItems(board, row),
		...at > 0 ? [["Move up", () => moveBy(board, row, -1), "Alt ↑"]] : [],
		...at < among.length - 1 ? [["Move down", () => moveBy(board, row, 1), "Alt ↓"]] : [],
		["Copy name", () => {
			copyText(row.track?.name ?? row.group?.name ?? row.host);
		}]
	];
}
function onMenuKey(event, close) {
	let buttons = [...event.currentTarget.querySelectorAll("button")], at = buttons.indexOf(document.activeElement), to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[event.key];
	if (event.stopPropagation(), event.key === "Escape" || event.key === "Tab") close();
	else if (to !== void 0) buttons.at(to % buttons.length)?.focus();
	else return;
	event.preventDefault();
}
function TrackMenu({
	board,
	place: { row, x, y },
	close
}) {
	let menu = useRef(null), before = useRef(document.activeElement), end = () => {
		close(), before.current?.focus({ preventScroll: !0 });
	};
	return useLayoutEffect(() => {
		let { width, height } = menu.current.getBoundingClientRect();
		menu.current.style.left = `${Math.max(4, Math.min(x, innerWidth - width - 4))}px`, menu.current.style.top = `${Math.max(4, Math.min(y, innerHeight - height - 4))}px`, menu.current.querySelector("button")?.focus();
		let outside = (event) => {
			menu.current?.contains(event.target) || close();
		};
		return document.addEventListener("pointerdown", outside), () => document.removeEventListener("pointerdown", outside);
	}, [row]), jsx(
		"div",
		{
			ref: menu,
			class: "trace-menu",
			role: "menu",
			"aria-label": `Menu of ${row.track?.name ?? row.group?.name ?? row.host}`,
			onKeyDown: (event) => onMenuKey(event, end),
			onPointerDown: (event) => event.stopPropagation(),
			children: itemsOf(board, row).map(([words4, act, key]) => jsxs(
				"button",
				{
					type: "button",
					role: "menuitem",
					tabIndex: -1,
					onClick: (event) => {
						event.stopPropagation(), act(), end();
					},
					children: [
						words4,
						" ",
						key && jsx("kbd", { children: key })
					]
				},
				words4
			))
		}
	);
}

// src/timeline/labels.tsx
var BLOCK = 400, THREAD_ID = /^(.+)\/-?(\d+)$/, ID_DIGITS = 4;
function TrackName({ name, title }) {
	let [, pool, id] = THREAD_ID.exec(name) ?? [];
	return !pool || !id ? jsx(Name, { text: name, title }) : jsxs(Fragment2, { children: [
		jsx(Name, { text: pool, title }),
		jsx("span", { class: "soft trace-id", title, children: id.length > ID_DIGITS + 1 ? `…${id.slice(-ID_DIGITS)}` : id })
	] });
}
function Header({ row }) {
	let { group: group2, host: host2, open, shown: shown3 } = row, isWhole = !group2 || shown3 === group2.tracks.length, process = group2 && group2.process !== group2.name ? group2.process : "";
	return jsxs(Fragment2, { children: [
		jsx("span", { "aria-hidden": "true", children: open ? "▾" : "▸" }),
		" ",
		jsx(Name, { text: group2?.name ?? host2 }),
		process && jsx("span", { class: "soft trace-process", children: process }),
		jsxs("span", { class: "soft", children: [
			isWhole ? counted(shown3, "track") : `${shown3} of ${counted(group2.tracks.length, "track")}`,
			isWhole && group2 && `, ${counted(group2.events, "event")}`
		] })
	] });
}
function TrackLabel({ row, hits }) {
	let { name, kind, events, host: host2 } = row.track, about = [row.pinned && `pinned, of ${host2}`, row.lane < 18 && "compact: C for full height"].filter(Boolean), title = [name, `${kind}, ${counted(events, "event")}`, ...about].join(`
`);
	return jsxs("span", { class: "trace-label", children: [
		row.pinned && jsx("span", { class: "trace-pin", role: "img", "aria-label": "pinned", children: "▴" }),
		jsx(TrackName, { name, title }),
		hits > 0 && jsx("mark", { title: counted(hits, "hit"), children: formatNumber(hits, "count") })
	] });
}
var LEVELS = { host: 1, group: 2, track: 3 };
function Label2({ board, row, top, isFocus, drag, menu }) {
	let isHeader = row.level !== "track", openMenu = (x, y) => menu({ row, x, y });
	return jsxs(
		"div",
		{
			role: "treeitem",
			class: `trace-row ${row.level}${drag.key === row.key ? " dragged" : ""}${drag.before === row.key ? " drop" : ""}`,
			style: { top: `${top}px`, height: `${row.height}px` },
			"data-key": row.key,
			tabIndex: isFocus ? 0 : -1,
			"aria-level": LEVELS[row.level],
			"aria-expanded": isHeader ? row.open : void 0,
			onClick: () => isHeader && !drag.wasMoved && board.toggle(row.key),
			onContextMenu: (event) => {
				event.preventDefault(), openMenu(event.clientX, event.clientY);
			},
			onPointerDown: (event) => drag.down(event, row),
			children: [
				isHeader ? jsx(Header, { row }) : jsx(TrackLabel, { row, hits: board.hits.get(row.key) ?? 0 }),
				jsx(
					"button",
					{
						type: "button",
						class: "trace-more",
						tabIndex: -1,
						"aria-label": "Menu of the track",
						onPointerDown: (event) => event.stopPropagation(),
						onClick: (event) => {
							event.stopPropagation();
							let { left: left2, bottom } = event.currentTarget.getBoundingClientRect();
							openMenu(left2, bottom);
						},
						children: "⋮"
					}
				)
			]
		}
	);
}
function window2(board) {
	let base = Math.max(0, Math.floor(board.scroll / BLOCK) * BLOCK - BLOCK);
	return { base, rows: rowsBetween(board.layout, base, base + board.room + 3 * BLOCK) };
}
function Labels({ board }) {
	let scroller = useRef(null), [focus, setFocus] = useState(""), [menu, setMenu] = useState(null), [, again] = useState(0), [drag] = useState(() => new LabelDrag(board, () => again((n) => n + 1))), { base, rows } = window2(board), { layout: layout3 } = board;
	useFollow(board, () => [window2(board).base, board.layout, board.hits, board.room]), useFrame(board, () => {
		scroller.current && (scroller.current.scrollTop = board.scroll - base);
	});
	let all = [...layout3.pinned, ...rows], focused = all.some((row2) => row2.key === focus) ? focus : all[0]?.key, row = (one, top) => jsx(Label2, { board, drag, row: one, top, isFocus: one.key === focused, menu: setMenu }, one.key);
	return jsxs(
		"div",
		{
			class: "trace-labels",
			role: "tree",
			"aria-label": "Tracks",
			onKeyDown: (event) => onLabelKey(board, event, setFocus, setMenu),
			onFocusIn: (event) => setFocus(event.target.closest("[data-key]")?.dataset.key ?? ""),
			children: [
				layout3.pinned.length > 0 && jsx("div", { class: "trace-pinned", style: { height: `${layout3.pinnedHeight}px` }, children: layout3.pinned.map((one) => row(one, one.top)) }),
				jsx("div", { class: "trace-scrolled", ref: scroller, tabIndex: -1, style: { top: `${layout3.pinnedHeight}px` }, children: jsx("div", { style: { height: `${board.room + 4 * BLOCK + 18}px` }, children: rows.map((one) => row(one, one.top - base)) }) }),
				menu && jsx(TrackMenu, { board, place: menu, close: () => setMenu(null) })
			]
		}
	);
}
var BAR_MAX = 8e6;
function ScrollBar({ board }) {
	let bar = useRef(null);
	useFollow(board, ({ layout: layout4, room: room2 }) => [layout4.height, room2]);
	let { layout: layout3, room } = board, height = Math.min(layout3.height, BAR_MAX), factor = height > room ? (layout3.height - room) / (height - room) : 1;
	return useFrame(board, () => {
		let top = board.scroll / factor;
		bar.current && Math.abs(bar.current.scrollTop - top) > 1 && (bar.current.scrollTop = top);
	}), jsx(
		"div",
		{
			ref: bar,
			class: "trace-bar",
			style: { marginTop: `${RULER + layout3.pinnedHeight}px` },
			tabIndex: -1,
			"aria-hidden": "true",
			onScroll: (event) => {
				let top = event.currentTarget.scrollTop;
				Math.abs(top - board.scroll / factor) > 1 && board.scrollTo(top * factor);
			},
			children: jsx("div", { style: { height: `${height}px` } })
		}
	);
}

// src/timeline/minimap_data.ts
function addBusy(into, slices, span2) {
	let { start, duration, idle, lanes, window: window3 } = slices, scale = into.length / length(span2), offset = window3.start - span2.start;
	for (let i = 0; i < (lanes[1] ?? 0); i++) {
		let from = Math.max((start[i] + offset) * scale, 0), to = Math.min((start[i] + duration[i] + offset) * scale, into.length), share = duration[i] > 0 ? 1 - idle[i] / duration[i] : 0;
		for (let x = Math.floor(from); x < to; x++) into[x] += share * (Math.min(to, x + 1) - Math.max(from, x));
	}
}
function scaled2(values) {
	let most = values.reduce((a, b) => Math.max(a, b), 0);
	return most > 0 ? values.map((value) => value / most) : values;
}
var DEVICES2 = /* @__PURE__ */ new Set(["gpu", "tpu"]);
function counted2(group2) {
	let streams = group2.tracks.filter(({ kind }) => kind === "stream");
	return DEVICES2.has(group2.kind) && streams.length ? streams : group2.tracks.filter(({ kind }) => kind !== "derived");
}
function busyOf2(groups, whole4, span2, width) {
	let busy = { device: new Float64Array(width), host: new Float64Array(width) };
	for (let group2 of groups)
		for (let track of counted2(group2)) {
			let slices = whole4(track.key);
			slices && addBusy(DEVICES2.has(group2.kind) ? busy.device : busy.host, slices, span2);
		}
	return { device: scaled2(busy.device), host: scaled2(busy.host) };
}

// src/timeline/minimap.tsx
var HEIGHT = 32, GRIP = 5, WINDOW_MIN = 4;
function windowOf(view, span2, width) {
	let [left2, right] = [toX(view.start, span2, width), toX(view.end, span2, width)], more = Math.max(WINDOW_MIN - (right - left2), 0) / 2;
	return [left2 - more, right + more];
}
function bars(ctx, values, from, direction) {
	values.forEach((value, x) => {
		let high = value > 0 ? Math.max(1, Math.round(value * (HEIGHT / 2 - 2))) : 0;
		high && ctx.fillRect(x, direction > 0 ? from : from - high, 1, high);
	});
}
function sized(canvas, width, ratio) {
	let [wide, high] = [Math.round(width * ratio), Math.round(HEIGHT * ratio)];
	(canvas.width !== wide || canvas.height !== high) && ([canvas.width, canvas.height] = [wide, high]);
	let ctx = canvas.getContext("2d", { alpha: !1 });
	return ctx.setTransform(ratio, 0, 0, ratio, 0, 0), ctx;
}
function stripOf({ device, host: host2 }, inks, width, ratio) {
	let strip = document.createElement("canvas"), ctx = sized(strip, width, ratio);
	ctx.fillStyle = inks.panel, ctx.fillRect(0, 0, width, HEIGHT);
	let hasDevice = device.some((value) => value > 0), middle3 = hasDevice ? HEIGHT / 2 : HEIGHT - 1;
	return ctx.fillStyle = inks.device, bars(ctx, device, middle3, -1), ctx.fillStyle = inks.host, bars(ctx, host2, middle3, hasDevice ? 1 : -1), strip;
}
function paint(canvas, board, { strip, ratio }, inks) {
	let { width, view, span: span2 } = board, ctx = sized(canvas, width, ratio);
	ctx.drawImage(strip, 0, 0, width, HEIGHT);
	let [left2, right] = windowOf(view, span2, width).map(Math.round);
	ctx.fillStyle = inks.panel, ctx.globalAlpha = 0.6, ctx.fillRect(0, 0, left2, HEIGHT), ctx.fillRect(right, 0, width - right, HEIGHT), ctx.globalAlpha = 1, ctx.strokeStyle = inks.accent, ctx.lineWidth = 1, ctx.strokeRect(left2 + 0.5, 0.5, Math.max(right - left2 - 1, 1), HEIGHT - 1);
}
function say(canvas, { view, span: span2, origin }) {
	let long = Math.max(length(span2), 1), now = String(Math.round(100 * (view.start + view.end - 2 * span2.start) / 2 / long)), text3 = `${formatNumber(length(view), "ps")} from ${formatNumber(view.start - origin, "ps")}`;
	canvas.getAttribute("aria-valuenow") !== now && canvas.setAttribute("aria-valuenow", now), canvas.getAttribute("aria-valuetext") !== text3 && canvas.setAttribute("aria-valuetext", text3);
}
function follow2(canvas, board) {
	let inks = inksOfTheme(), made3 = null, draw2 = () => {
		let { width, store, groups, span: span2 } = board;
		if (width < 1) return;
		let ratio = window.devicePixelRatio || 1, version2 = store.wholes + groups.length;
		if (made3?.width !== width || made3.version !== version2 || made3.ratio !== ratio) {
			let busy = busyOf2(groups, (key) => store.whole(key), span2, Math.floor(width));
			made3 = { strip: stripOf(busy, inks, width, ratio), width, version: version2, ratio };
		}
		paint(canvas, board, made3, inks), say(canvas, board);
	}, ends2 = [
		board.subscribe(draw2),
		onTheme(() => {
			inks = inksOfTheme(), made3 = null, board.changed();
		})
	];
	return draw2(), () => ends2.forEach((end) => end());
}
function holdAt(board, x) {
	let [left2, right] = windowOf(board.view, board.span, board.width), grip = Math.min(GRIP, (right - left2) / 4);
	return Math.abs(x - left2) <= GRIP && x < left2 + grip ? "left" : Math.abs(x - right) <= GRIP && x > right - grip ? "right" : x >= left2 && x <= right ? "whole" : null;
}
function followPointer2(canvas, board) {
	let held = null, timeAt3 = (event) => toTime(event.offsetX, board.span, Math.max(1, board.width)), down = (event) => {
		if (event.button !== 0) return;
		canvas.setPointerCapture(event.pointerId);
		let from = timeAt3(event), hold = holdAt(board, event.offsetX);
		if (!hold) {
			let half2 = length(board.view) / 2;
			board.look({ start: from - half2, end: from + half2 });
		}
		held = { hold: hold ?? "whole", from, view: board.view };
	}, move = (event) => {
		if (!held) {
			let hold = holdAt(board, event.offsetX);
			canvas.style.cursor = hold === "whole" ? "grab" : hold ? "ew-resize" : "pointer";
			return;
		}
		let by = timeAt3(event) - held.from, start = held.view.start + (held.hold === "right" ? 0 : by), end = held.view.end + (held.hold === "left" ? 0 : by);
		board.look({ start: Math.min(start, end), end: Math.max(start, end) });
	}, up = () => {
		held = null;
	}, listeners2 = { pointerdown: down, pointermove: move, pointerup: up, pointercancel: up }, whole4 = () => board.look(board.span);
	canvas.addEventListener("dblclick", whole4);
	for (let [name, listener] of Object.entries(listeners2)) canvas.addEventListener(name, listener);
	return () => {
		canvas.removeEventListener("dblclick", whole4);
		for (let [name, listener] of Object.entries(listeners2))
			canvas.removeEventListener(name, listener);
	};
}
function Minimap({ board }) {
	let canvas = useRef(null);
	return useEffect(() => follow2(canvas.current, board), [board]), useEffect(() => followPointer2(canvas.current, board), [board]), jsx(
		"canvas",
		{
			ref: canvas,
			class: "trace-minimap",
			role: "slider",
			tabIndex: 0,
			"aria-label": "Visible part of the capture",
			"aria-valuemin": 0,
			"aria-valuemax": 100,
			"aria-valuenow": 50
		}
	);
}

// src/timeline/said.tsx
var REST_MS5 = 500, NAME_MAX = 120;
function sliceWords(board, { name, duration, start, track, count, depth }) {
	return `${count > 1 ? `${counted(count, "event")}, mostly ${name.slice(0, NAME_MAX)}` : name.slice(0, NAME_MAX)}, ${formatNumber(duration, "ps")}, at ${exactTime(start - board.origin)}, on ${track.name}, depth ${depth}`;
}
function summaryOf(board) {
	let { view, origin, layout: layout3, selected: selected2, steps } = board, { start, end } = view;
	return [
		`Timeline of ${counted(layout3.shown, "track")}: ${formatNumber(end - start, "ps")} from ${formatNumber(start - origin, "ps")}.`,
		steps.length ? `${counted(steps.length, "step")}.` : "",
		selected2 ? `Selected: ${sliceWords(board, selected2)}.` : "",
		"Press ? for help."
	].filter(Boolean).join(" ");
}
function useSummary(board) {
	let [text3, setText] = useState(() => summaryOf(board));
	return useEffect(() => {
		let timer = 0, later = () => {
			clearTimeout(timer), timer = window.setTimeout(() => setText(summaryOf(board)), REST_MS5);
		}, end = board.subscribe(later);
		return () => {
			end(), clearTimeout(timer);
		};
	}, [board]), text3;
}
function words2(board) {
	let { selected: selected2, area, range } = board;
	return selected2 ? `Selected: ${sliceWords(board, selected2)}` : area ? `Area: ${formatNumber(area.view.end - area.view.start, "ps")} on ${area.tracks.length ? counted(area.tracks.length, "track") : "all tracks"}` : range ? `Range: ${formatNumber(range.end - range.start, "ps")}` : "";
}
function Live({ board }) {
	let [text3, setText] = useState("");
	useFollow(board, ({ selected: selected3, area: area2, range: range2 }) => [selected3, area2, range2]);
	let { selected: selected2, area, range } = board;
	return useEffect(() => {
		let timer = setTimeout(() => setText(words2(board)), REST_MS5);
		return () => clearTimeout(timer);
	}, [selected2, area, range]), jsx("p", { class: "offscreen", "aria-live": "polite", children: text3 });
}

// src/timeline/hints.tsx
var MOVING = [
	["click", "details"],
	["drag", "move"],
	["Ctrl wheel, W S", "zoom"],
	["Shift drag", "select an area"],
	["drag on the ruler", "measure"],
	["E", "sum the visible range"]
], STEPS3 = ["[ ]", "previous, next step"], HELP = ["?", "all keys"], OF_AREA = [
	["F", "zoom to the area"],
	["M", "mark"],
	["Shift drag", "another area"],
	["Esc", "clear"]
], OF_RANGE = [
	["E", "sum its events"],
	["F", "zoom to the range"],
	["M", "mark"],
	["drag its ends", "on the ruler"],
	["Esc", "clear"]
], OF_SLICE = [
	["← →", "previous, next on its lane"],
	["↑ ↓", "above, below"],
	["F", "zoom to slice"],
	["M", "mark"],
	["P H", "pin, hide its track"],
	["Esc", "clear"]
], SELECTING = [
	["drag", "select an area"],
	["Shift drag", "move"],
	["B", "drag to move again"]
];
function hintsOf({ selects, area, range, selected: selected2, steps }) {
	let step = steps.length ? [STEPS3] : [];
	return area ? OF_AREA : selects ? SELECTING : selected2 ? OF_SLICE : [...range ? OF_RANGE : MOVING, ...step];
}
var DRAWN = [
	"input_wait",
	"compute_other",
	"compute_16bit",
	"collective",
	"copy_in",
	"copy_out",
	"copy_device",
	"launch",
	"host_compute",
	"runtime",
	"compilation",
	"output",
	"waiting",
	"python"
];
function Legend4() {
	return jsxs("p", { class: "trace-hints legend", "aria-label": "Colour legend", children: [
		DRAWN.map((key) => jsxs("span", { children: [
			jsx("i", { style: { background: `var(${CATEGORIES[key][0]})` } }),
			titleOf(key)
		] }, key)),
		jsxs("span", { children: [
			jsx("i", { style: { background: "var(--unknown)" } }),
			"Unknown"
		] })
	] });
}
function Said2({ hint: [input, what] }) {
	return jsxs("span", { children: [
		jsx("b", { children: input }),
		" ",
		what
	] });
}
function Hints({ board }) {
	return useFollow(board, ({ selects, area, range, selected: selected2, steps, colours: colours2 }) => [
		selects,
		!area,
		!range,
		!selected2,
		steps,
		colours2
	]), jsxs(Fragment2, { children: [
		board.colours === "category" && jsx(Legend4, {}),
		jsxs("p", { class: "trace-hints", children: [
			jsx("span", { class: "trace-hints-now", children: hintsOf(board).map((hint) => jsx(Said2, { hint }, hint[0])) }),
			jsx(Said2, { hint: HELP })
		] })
	] });
}

// src/timeline/step_row.tsx
var HEIGHT2 = 18, TEXT_MIN2 = 18;
function stepsShown({ steps, selected: selected2 }) {
	return stepsOfHost(steps, selected2?.track.host);
}
function visible2(board, steps) {
	return steps.filter(({ start, end }) => end > board.view.start && start < board.view.end);
}
function colours() {
	return Object.fromEntries(["panel", "sunken", "line", "text", "hover", "accent"].map((name) => [name, colour(`--${name}`)]));
}
function paint2(canvas, board, steps, ink) {
	let ratio = window.devicePixelRatio || 1, { width, view, range } = board, [wide, high] = [Math.round(width * ratio), Math.round(HEIGHT2 * ratio)];
	(canvas.width !== wide || canvas.height !== high) && ([canvas.width, canvas.height] = [wide, high]);
	let ctx = canvas.getContext("2d", { alpha: !1 });
	if (!ctx) return;
	ctx.setTransform(ratio, 0, 0, ratio, 0, 0), ctx.fillStyle = ink.panel, ctx.fillRect(0, 0, width, HEIGHT2), ctx.font = FONT3, ctx.textBaseline = "middle";
	let edge = -1, shown3 = visible2(board, steps), parity = shown3[0] ? steps.indexOf(shown3[0]) : 0, room = shown3.reduce((sum, { start, end }) => sum + end - start, 0) / Math.max(shown3.length, 1), words4 = wordsOf3(Math.min(room / (view.end - view.start), 1) * width);
	for (let [i, step] of shown3.entries()) {
		let left2 = Math.max(Math.round(toX(step.start, view, width)), -1), right = Math.min(Math.round(toX(step.end, view, width)), width + 1);
		if (right <= edge) continue;
		edge = right;
		let isMarked = range?.start === step.start && range.end === step.end;
		ctx.fillStyle = isMarked ? ink.hover : (parity + i) % 2 ? ink.panel : ink.sunken, ctx.fillRect(left2, 0, right - left2, HEIGHT2), ctx.fillStyle = isMarked ? ink.accent : ink.line, ctx.fillRect(left2, 0, 1, HEIGHT2), ctx.fillRect(right - 1, 0, 1, HEIGHT2), !(right - Math.max(left2, 0) < TEXT_MIN2) && (ctx.save(), ctx.beginPath(), ctx.rect(left2, 0, right - left2 - 2, HEIGHT2), ctx.clip(), ctx.fillStyle = ink.text, ctx.fillText(words4(step), Math.max(left2, 0) + 4, HEIGHT2 / 2), ctx.restore());
	}
	ctx.fillStyle = ink.line, ctx.fillRect(0, HEIGHT2 - 1, width, 1);
}
function wordsOf3(room) {
	return room < 60 ? ({ number: number3 }) => String(number3) : room < 140 ? ({ number: number3 }) => `step ${number3}` : ({ number: number3, start, end }) => `step ${number3} · ${formatNumber(end - start, "ps")}`;
}
function StepCount({ board }) {
	if (useFollow(board, ({ selected: selected2, stepsKnown }) => [selected2?.track.host, stepsKnown]), !board.stepsKnown) return jsx("span", { class: "soft", children: "steps: loading…" });
	let steps = stepsShown(board);
	if (!steps.length)
		return jsx("span", { class: "soft", title: "The capture does not show where steps begin and end.", children: "no steps" });
	let text3 = counted(steps.length, "step") + (board.hostCount > 1 ? ` of ${steps[0].host}` : ""), { by = "", more = "", isGuess = !1 } = board.stepsFound ?? {};
	return jsx("span", { class: isGuess ? "fair" : "soft", title: [text3, by, more.replaceAll("`", "")].filter(Boolean).join(`
`), children: isGuess ? `${text3}, a guess` : text3 });
}
function StepRow({ board }) {
	let canvas = useRef(null), ink = useRef(null);
	useFollow(board, ({ selected: selected2 }) => [selected2?.track.host]);
	let steps = stepsShown(board);
	if (useFrame(board, () => canvas.current && paint2(canvas.current, board, steps, ink.current ??= colours())), useEffect(
		() => onTheme(() => {
			ink.current = null, board.changed();
		}),
		[board]
	), !steps.length) return jsx("div", { class: "trace-steps-row none" });
	let stepAt = (x) => {
		let time2 = toTime(x, board.view, board.width);
		return visible2(board, steps).find(({ start, end }) => start <= time2 && time2 < end);
	};
	return jsx(
		"canvas",
		{
			ref: canvas,
			class: "trace-steps-row",
			title: `Steps${board.hostCount > 1 ? ` of ${steps[0].host}` : ""}: click to show one; [ and ] go to the previous and next`,
			role: "img",
			"aria-label": `${steps.length} steps; [ and ] go to the previous and next`,
			onClick: (event) => {
				let step = stepAt(event.offsetX);
				step && openStep(board, step);
			}
		}
	);
}

// src/timeline/tools.tsx
function ViewState({ board }) {
	let words4 = useRef(null);
	return useFollow(board, ({ loading }) => [loading]), useFrame(board, () => {
		let { view, span: span2, origin } = board, text3 = `${formatNumber(view.end - view.start, "ps")} of ${formatNumber(span2.end - span2.start, "ps")}`, element = words4.current;
		!element || element.textContent === text3 || (element.textContent = text3, element.title = `${exactTime(view.start - origin)} to ${exactTime(view.end - origin)}`);
	}), jsxs("span", { class: "trace-state soft", children: [
		jsx("span", { ref: words4 }),
		jsx("span", { role: "status", children: board.loading ? " · reading…" : "" })
	] });
}
function ZoomButtons({ board }) {
	useFollow(board, ({ selects, colours: colours2 }) => [selects, colours2]);
	let zoom = (factor) => {
		board.motion.zoomBy(factor, 0.5, performance.now()), board.changed();
	};
	return jsxs("span", { class: "trace-zoom", children: [
		jsxs(
			"button",
			{
				type: "button",
				title: "Drag selects an area (tracks and a time) and sums its events (B). Shift drag always does.",
				"aria-label": "Select area by dragging",
				"aria-pressed": board.selects,
				onClick: () => {
					board.selects = !board.selects, board.changed();
				},
				children: [
					"▭",
					jsx("span", { class: "trace-word", children: " Select area" })
				]
			}
		),
		jsxs(
			"button",
			{
				type: "button",
				title: "Colours by category: input, compute, copy, … (K). Otherwise by name.",
				"aria-label": "Colour by category",
				"aria-pressed": board.colours === "category",
				onClick: () => toggleColours(board),
				children: [
					"◐",
					jsx("span", { class: "trace-word", children: " By category" })
				]
			}
		),
		jsx("button", { type: "button", title: "W", "aria-label": "Zoom in", onClick: () => zoom(1 / 2), children: "+" }),
		jsx("button", { type: "button", title: "S", "aria-label": "Zoom out", onClick: () => zoom(2), children: "−" }),
		jsx("button", { type: "button", title: "0", onClick: () => board.look(board.span), children: "Whole" })
	] });
}
function Guide({ board }) {
	let line = useRef(null);
	return useFrame(board, () => {
		let { guide, view, width } = board;
		line.current && (line.current.hidden = guide === null, guide !== null && (line.current.style.transform = `translateX(${Math.round(toX(guide, view, width))}px)`));
	}), jsx("div", { ref: line, class: "trace-guide", hidden: !0, "aria-hidden": "true" });
}

// src/timeline/tooltip.tsx
var ROOM2 = 420;
function Tooltip({ board }) {
	useFollow(board, ({ hover, view, scroll }) => hover ? [hover, view, scroll] : []);
	let slice = board.hover, place2 = slice && placeOf4(board, slice);
	if (!slice || !place2) return null;
	let left2 = Math.max(4, Math.min(place2.x + Math.min(place2.width / 2, 40), board.width - ROOM2)), below = place2.y + 18 + 4, style = below > board.height - 88 ? { left: `${left2}px`, bottom: `${board.height - place2.y + 4}px` } : { left: `${left2}px`, top: `${below}px` };
	return jsxs("div", { class: "trace-tip", style, role: "tooltip", children: [
		jsx("p", { class: "name", children: slice.count === 1 ? slice.name : `${counted(slice.count, "event")}, mostly ${slice.name}` }),
		jsxs("p", { children: [
			jsx("b", { title: exactValue(slice.duration, "ps"), children: slice.duration ? formatNumber(slice.duration, "ps") : "instant" }),
			slice.count > 1 && slice.duration > 0 && jsxs(Fragment2, { children: [
				" · busy ",
				percent(1 - slice.idle / slice.duration)
			] }),
			jsxs("span", { class: "soft", children: [
				" · at ",
				exactTime(slice.start - board.origin)
			] })
		] })
	] });
}

// src/timeline/trace_notes.tsx
function notesOf(findings) {
	let seen = /* @__PURE__ */ new Set(), rank = ({ severity }) => ["warning", "note", "info"].indexOf(severity);
	return findings.filter(({ title }) => !seen.has(title) && seen.add(title)).sort((a, b) => rank(a) - rank(b));
}
function Note({ finding: { title, detail, action } }) {
	let more = [detail, action].filter(Boolean);
	return more.length ? jsxs("details", { children: [
		jsx("summary", { children: jsx(Words, { text: title }) }),
		more.map((text3) => jsx("p", { children: jsx(Words, { text: text3 }) }, text3))
	] }) : jsx(Words, { text: title });
}
var SHOWN2 = 2;
function TraceNotes({ findings }) {
	let [isAway, setAway] = useState(!1), [all, setAll] = useState(!1), notes = notesOf(findings);
	if (isAway || !notes.length) return null;
	let shown3 = all ? notes : notes.slice(0, SHOWN2);
	return jsx("ul", { class: "trace-notes", "aria-label": "Notes on this capture", children: shown3.map((finding, i) => jsxs("li", { class: finding.severity, children: [
		jsx(Note, { finding }),
		i === shown3.length - 1 && shown3.length < notes.length && jsx("button", { type: "button", class: "link", onClick: () => setAll(!0), children: counted(notes.length - shown3.length, "more note") }),
		i === 0 && jsx("button", { type: "button", "aria-label": "Dismiss the notes", title: "Dismiss", onClick: () => setAway(!0), children: "×" })
	] }, finding.title)) });
}

// src/timeline/track_filter.tsx
var DEBOUNCE_MS = 120, LISTED3 = 100;
function FilterBox({ board }) {
	let { filter } = board.choices, [text3, setText] = useState(filter);
	useEffect(() => setText(filter), [filter]);
	let why = whyNoFilter(text3);
	return useEffect(() => {
		if (text3 === filter || why) return;
		let timer = setTimeout(() => board.setChoices({ ...board.choices, filter: text3 }), DEBOUNCE_MS);
		return () => clearTimeout(timer);
	}, [text3]), jsxs(Fragment2, { children: [
		jsx(
			"input",
			{
				type: "text",
				class: "trace-filter",
				value: text3,
				placeholder: "Filter tracks  T",
				"aria-label": "Filter tracks by words or /regular expression/",
				title: "All words must be in the name of the track, group or host; or a /regular expression/",
				"aria-invalid": why !== "",
				"aria-describedby": why ? "trace-filter-error" : void 0,
				spellcheck: !1,
				onInput: (event) => setText(event.currentTarget.value),
				onKeyDown: (event) => {
					event.key !== "Escape" && event.key !== "Enter" || (event.key === "Escape" && text3 ? setText("") : event.currentTarget.blur(), event.preventDefault(), event.stopPropagation());
				}
			}
		),
		why && jsx("p", { id: "trace-filter-error", class: "trace-find-error", role: "alert", children: why })
	] });
}
function nameOf3(board, key) {
	let group2 = board.groups.find((one) => one.key === key);
	return board.track(key)?.name ?? group2?.name ?? decoded(key.replace(/\/$/, ""));
}
function Hidden({ board }) {
	let { hide } = board.choices;
	return hide.size ? jsxs(Fragment2, { children: [
		jsx("p", { class: "soft", children: "Hidden:" }),
		jsx("ul", { children: [...hide].slice(0, LISTED3).map((key) => jsxs("li", { children: [
			jsx("span", { class: "name", children: nameOf3(board, key) }),
			jsx("button", { type: "button", onClick: () => board.setChoices(withHidden(board.choices, key, !1)), children: "Show" })
		] }, key)) }),
		hide.size > LISTED3 && jsxs("p", { class: "soft", children: [
			"and ",
			grouped(hide.size - LISTED3),
			" more"
		] })
	] }) : null;
}
function Options2({ board }) {
	let { choices } = board, busy = choices.busy ? null : board.view;
	return jsxs(Fragment2, { children: [
		jsx("p", { children: jsxs("label", { children: [
			jsx(
				"input",
				{
					type: "checkbox",
					checked: choices.busy !== null,
					onChange: () => board.setChoices({ ...choices, busy })
				}
			),
			" ",
			"Only tracks busy ",
			choices.busy ? `in ${formatNumber(length(choices.busy), "ps")}` : "in this view"
		] }) }),
		jsxs("p", { children: [
			jsx("button", { type: "button", onClick: () => board.openAll(!0), children: "Open all groups" }),
			" ",
			jsx("button", { type: "button", onClick: () => board.openAll(!1), children: "Close all" })
		] }),
		jsx(Hidden, { board }),
		jsx("p", { children: jsx("button", { type: "button", disabled: isRestored(choices), onClick: () => board.setChoices(restored(choices)), children: "Reset tracks (U)" }) })
	] });
}
function TrackFilter({ board }) {
	useFollow(board, ({ choices: choices2, layout: layout4, list: list2 }) => [choices2, layout4, list2.kept]);
	let { layout: layout3, list, choices } = board, all = list.kept === layout3.shown;
	return jsxs("div", { class: "trace-corner", children: [
		jsx(FilterBox, { board }),
		jsx(
			Popover,
			{
				label: "Tracks shown",
				class: "trace-shown",
				button: jsxs("span", { class: isRestored(choices) ? "soft" : "", children: [
					all ? grouped(list.kept) : `${grouped(layout3.shown)} of ${grouped(list.kept)}`,
					jsx("span", { class: "trace-word", children: " tracks" }),
					" ▾"
				] }),
				children: () => jsxs(Fragment2, { children: [
					jsxs("p", { children: [
						all ? counted(list.kept, "track") : `${grouped(layout3.shown)} of ${counted(list.kept, "track")}`,
						" with events",
						layout3.pinned.length > 0 && `, ${layout3.pinned.length} pinned`
					] }),
					jsx(Options2, { board })
				] })
			}
		)
	] });
}

// src/timeline/use_find.ts
var DEBOUNCE_MS2 = 150, STRETCH_SHARE = 0.8, NONE3 = { page: null, size: 0, at: -1, error: "", waiting: !1 };
function say2(board, find2, page) {
	board.highlight = highlightOf(find2, page), board.hits = new Map(page?.tracks.map(({ key, hits }) => [key, hits]) ?? []), board.changed();
}
function lookAt(board, { host: host2, track, start, duration }) {
	let on = board.track(keyOf2(host2, track));
	board.look(around2(start, start + duration, STRETCH_SHARE, board.span)), on && board.reveal(on, 0);
}
function useFind(board, find2, change) {
	let [state, setState] = useState(NONE3), [only, setOnly] = useState(""), [within, setWithin] = useState(null), latest = useRef(state);
	latest.current = state;
	let early = useRef(!1), { text: text3, match } = find2, where = find2.in;
	useEffect(() => setOnly(""), [board, text3, match, where]), useEffect(() => {
		say2(board, find2, null);
		let abort = new AbortController();
		early.current = !1, setState(text3 ? (old) => ({ ...old, waiting: !0 }) : NONE3);
		let settle = (next2) => {
			abort.signal.aborted || (setState(next2), say2(board, find2, next2.page));
		}, timer = setTimeout(() => {
			text3 && board.ask(findOptions(find2, only, 0, within), abort.signal).then(
				(answer) => {
					let page = pageOf(answer, 0);
					settle({ ...NONE3, page, size: page.hits.length });
				},
				(reason) => settle({ ...NONE3, error: asApiError(reason).message })
			);
		}, DEBOUNCE_MS2);
		return () => {
			clearTimeout(timer), abort.abort();
		};
	}, [board, text3, match, where, only, within]);
	let hold = useCallback(
		async (at) => {
			let { page, size } = latest.current;
			if (!page || at >= page.first && at < page.first + page.hits.length) return page;
			let first = pageStart(at, size), answer = await board.ask(findOptions(find2, only, first, within)).catch(() => null);
			if (!answer || latest.current.page !== page) return null;
			let next2 = { ...pageOf(answer, first), names: page.names, tracks: page.tracks };
			return setState((old) => ({ ...old, page: next2 })), next2;
		},
		[board, text3, match, where, only, within]
	), show2 = useCallback(
		async (at) => {
			let page = await hold(at), place2 = page?.hits[at - page.first];
			if (!place2) return;
			setState((old) => ({ ...old, at }));
			let slice = sliceOf(board, place2);
			place2.row < 0 && lookAt(board, place2), !(!slice || place2.row < 0) && (board.choose(slice), board.jump(slice));
		},
		[board, hold]
	), step = useCallback(
		(by) => {
			let { page, at } = latest.current;
			latest.current.waiting ? early.current = !0 : page?.total && show2(stepped2(at, by, page.total));
		},
		[show2]
	);
	return useEffect(() => {
		state.waiting || !early.current || (early.current = !1, state.page?.total && show2(0));
	}, [state.waiting, state.page]), {
		...state,
		find: find2,
		change,
		only,
		setOnly,
		within,
		setWithin,
		step,
		show: (at) => {
			show2(at);
		},
		turn: (at) => {
			hold(at);
		}
	};
}

// src/timeline/use_proof.ts
var REST_MS6 = 150, SMALL3 = 0.5, FIT = 0.8;
function show(board, proof) {
	let { view, span: span2 } = board, extent2 = extentOf(proof), isWhole = view.start === span2.start && view.end === span2.end;
	extent2 && isWhole && extent2.end - extent2.start < SMALL3 * length(view) && board.look(around2(extent2.start, extent2.end, FIT, span2));
	let on = proof.stretches.map(({ host: host2, rows }) => rows && [...rows].map((row) => board.track(keyOf2(host2, row)))), tracks = on.flatMap((some) => some ?? []).filter((track) => track !== null);
	tracks.length && on.every((some) => some) && !tracks.some((track) => board.sees(track)) && board.reveal(tracks[0], 0);
}
function useProof(board, { find: find2 }) {
	let { text: text3, match } = find2, latest = useRef(find2);
	latest.current = find2, useEffect(() => {
		if (match !== "row" || !text3) return;
		let abort = new AbortController(), timer = 0, isShown4 = !1, waitsFor = "", ask2 = async () => {
			let wanted3 = asked2(board.proof, board.view, board.span, board.width), options2 = wanted3 && { ...findOptions(latest.current, "", 0), ...optionsOf4(wanted3) }, key = JSON.stringify(options2);
			if (!wanted3 || !options2 || key === waitsFor) return;
			abort.abort(), abort = new AbortController(), waitsFor = key;
			let answer = await board.ask(options2, abort.signal).catch(() => null);
			waitsFor === key && (waitsFor = ""), answer && (board.proof = proofOf(answer, wanted3.window, wanted3.pixel), board.changed());
		}, later = () => {
			board.proof && board.isListed && !isShown4 && (isShown4 = !0, show(board, board.proof)), clearTimeout(timer), timer = window.setTimeout(() => {
				ask2();
			}, board.proof ? REST_MS6 : 0);
		}, end = board.subscribe(later);
		return later(), () => {
			end(), clearTimeout(timer), abort.abort(), board.proof = null, board.changed();
		};
	}, [board, text3, match]);
}

// src/tools/trace_viewer.tsx
var keys7 = KEYS8, OTHERS2 = "input:not([type=checkbox]), textarea, select, dialog, [role=listbox], [role=menu], .top-bar", SCROLLS = /^(Arrow|Page|Home|End)/;
function useKeys(board, actions) {
	useEffect(() => {
		let down = (event) => {
			let target = event.target instanceof Element ? event.target : null;
			event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || target?.closest(OTHERS2) || target?.closest(".trace-below, .popover-panel") && SCROLLS.test(event.key) || onKeyDown(board, event, actions) && event.preventDefault();
		}, up = (event) => onKeyUp(board, event), stop = () => board.motion.stop();
		return document.addEventListener("keydown", down), document.addEventListener("keyup", up), window.addEventListener("blur", stop), () => {
			document.removeEventListener("keydown", down), document.removeEventListener("keyup", up), window.removeEventListener("blur", stop);
		};
	}, [board, actions]);
}
function focusOn(selector) {
	document.querySelector(selector)?.focus();
}
function Errors({ board }) {
	return useFollow(board, ({ error }) => [error]), board.error && jsx(Failure, { error: board.error });
}
function NoTracks({ board }) {
	return useFollow(board, ({ layout: layout3, list }) => [layout3.shown, list.kept]), board.layout.shown || !board.list.kept ? null : jsxs("p", { class: "trace-none", children: [
		"All ",
		counted(board.list.kept, "track"),
		" are hidden.",
		" ",
		jsx("button", { type: "button", onClick: () => board.setChoices(restored(board.choices)), children: "Show all (U)" })
	] });
}
function Tracks({ board, events }) {
	let summary3 = useSummary(board);
	return useFollow(board, ({ steps }) => [steps]), jsxs("div", { class: "trace-board", children: [
		jsxs("div", { class: "trace-body", children: [
			jsx(TrackFilter, { board }),
			jsx(Labels, { board }),
			jsxs("div", { class: "trace-area", children: [
				jsx(Canvas, { board, summary: summary3 }),
				jsx(Guide, { board }),
				jsx(NoTracks, { board }),
				jsx(Tooltip, { board })
			] }),
			jsx(ScrollBar, { board })
		] }),
		jsxs("div", { class: "trace-head", children: [
			jsxs("div", { class: "trace-counts", children: [
				jsxs("span", { class: "soft", children: [
					grouped(events),
					" events"
				] }),
				jsx(StepCount, { board })
			] }),
			jsxs("div", { class: "trace-over", children: [
				jsx(Minimap, { board }),
				jsx(StepRow, { board })
			] })
		] }),
		jsx(Live, { board })
	] });
}
function Trace({ page, answer, board }) {
	useFollow(board, ({ selected: selected2, area, range, steps: steps2, isHeld }) => [
		selected2,
		steps2,
		isHeld,
		...isHeld ? [] : [area, range]
	]);
	let [find2, setFind] = useState(NO_FIND), [steps, setSteps] = useState(!1), searching = useFind(board, find2, setFind), { step } = searching, toggleSteps = useCallback(() => setSteps((open) => !open), []), actions = useMemo(
		() => ({
			find: () => focusOn(".trace-search input"),
			filter: () => focusOn(".trace-filter"),
			steps: toggleSteps,
			step
		}),
		[step]
	);
	return useProof(board, searching), useAddress(page, board, find2, setFind), useKeys(board, actions), useEffect(takeFocus, []), jsxs("div", { class: "trace", children: [
		jsxs("div", { class: "trace-tools", children: [
			jsx(FindBox, { searching }),
			jsx("button", { type: "button", "aria-pressed": steps, disabled: !board.steps.length, title: "J", onClick: toggleSteps, children: "Steps" }),
			jsx("span", { class: "grow" }),
			jsx(Clocks, { board, page }),
			jsx(ViewState, { board }),
			jsx(ZoomButtons, { board }),
			jsx(ExportMenu, { board, run: answer.run, hosts: page.selection.hosts })
		] }),
		jsx(TraceNotes, { findings: answer.findings }),
		jsx(Errors, { board }),
		jsx(Tracks, { board, events: Number(answer.summary.event_count) }),
		jsx(Hints, { board }),
		jsx(Drawer, { page, board, searching, steps, setSteps })
	] });
}
function useOwn(page, answer) {
	let own = useRef({ answer, page });
	return own.current.answer === answer && page.selection.run !== own.current.page.selection.run ? { ...own.current.page, navigate: () => {
	} } : (own.current = { answer, page }, page);
}
function Loaded({ page: given2, answer, width }) {
	let [made3, setMade] = useState(null), page = useOwn(given2, answer);
	useLayoutEffect(() => {
		let board2 = new Board(page.api, answer, width);
		return setMade({ board: board2, answer }), () => board2.dispose();
	}, [answer]);
	let board = made3?.answer === answer ? made3.board : null;
	return answer.summary.event_count ? board && jsx(Trace, { page, answer, board }, board.id) : jsxs("section", { class: "empty", children: [
		jsx("h1", { children: "No event has a time" }),
		jsxs("p", { children: [
			answer.unknown.span_start_ps,
			". See the quality mark at the top for what the file held."
		] })
	] });
}
function TraceViewer(page) {
	let [width] = useState(() => window.innerWidth > 400 ? Math.ceil(window.innerWidth / 100) * 100 : 1200), { align } = page.selection.params, { api } = page, columns = useMemo(() => ({ ...api, data: api.columns }), [api]), asked3 = useAnswer(columns, { width: String(width), ...align ? { align } : {} });
	return jsx("div", { class: "trace-page", children: jsx(Shown, { asked: asked3, children: (answer) => jsx(Loaded, { page, answer, width }) }) });
}

// pages:pages
var PAGES = { input_pipeline: input_pipeline_exports, kernel_stats: kernel_stats_exports, memory_profile: memory_profile_exports, op_stats: op_stats_exports, overview: overview_exports, pod_viewer: pod_viewer_exports, tf_data: tf_data_exports, trace_viewer: trace_viewer_exports };

// src/state.ts
function writeNow(selection, how) {
	let hash = formatHash(selection, outer.location.hash);
	hash !== outer.location.hash && (how === "push" ? outer.history.pushState(outer.history.state, "", hash) : outer.history.replaceState(outer.history.state, "", hash));
}
var PAUSE_MS2 = 150, Writer = class {
	timer = 0;
	next = null;
	write(selection, how) {
		if (how === "replace" && this.timer) {
			this.next = selection;
			return;
		}
		this.flush(), writeNow(selection, how), this.timer = window.setTimeout(() => this.flush(), PAUSE_MS2);
	}
	flush() {
		clearTimeout(this.timer), this.timer = 0;
		let { next: next2 } = this;
		this.next = null, next2 && isOurs(outer.location.hash) && this.write(next2, "replace");
	}
	/** The address was changed by others: what waited is of before. */
	drop() {
		this.next = null;
	}
}, EVENTS = ["hashchange", "popstate"];
function follow3(current2, accept2, writer) {
	let listen = (event) => {
		event.type === "resize" ? writer.flush() : writer.drop();
		let { hash } = outer.location;
		if (!isOurs(hash) || !isShown()) return;
		let read = parseHash(hash);
		!read.run && !read.tool ? writer.write(current2(), "replace") : formatHash(read) !== formatHash(current2()) && accept2(read);
	};
	for (let event of EVENTS) outer.addEventListener(event, listen);
	return window.addEventListener("resize", listen), () => {
		for (let event of EVENTS) outer.removeEventListener(event, listen);
		window.removeEventListener("resize", listen);
	};
}
function useSelection() {
	let [selection, show2] = useState(() => parseHash(outer.location.hash)), latest = useRef(selection), [writer] = useState(() => new Writer()), accept2 = useCallback((next2) => {
		latest.current = next2, show2(next2);
	}, []);
	useEffect(() => follow3(() => latest.current, accept2, writer), [accept2]);
	let navigate = useCallback(
		(change, how = "push") => {
			let next2 = changed(latest.current, change);
			accept2(next2), writer.write(next2, how);
		},
		[accept2]
	);
	return [selection, navigate];
}

// src/views/generic.tsx
function OneView({ view, answer, page }) {
	let { tool, selection, navigate } = page, spec = tool.tables.find((t) => t.name === view.table), table = useTableState(selection, navigate, view.table);
	if (view.kind === "facts") {
		let columns = tool.summary.filter((c) => !view.show.length || view.show.includes(c.name));
		return jsx(Panel, { title: view.title, children: jsx(Facts, { columns, values: answer.summary, unknown: answer.unknown }) });
	}
	let data = answer.tables[view.table];
	if (!spec || !data) return null;
	let title = view.title || spec.title;
	if (view.kind === "bars")
		return jsx(Panel, { title, help: spec.help, children: jsx(Bars, { view, spec, data }) });
	if (view.kind === "pie")
		return jsx(Panel, { title, help: spec.help, children: jsx(Pies, { view, spec, data }) });
	let shared = common(page, view, spec), { csv, json } = shared, whole4 = wholeOf(spec, answer, page), ways = waysOf(page, spec, data), leads = ways ? { ...ways.act, cells: ways.cells } : {};
	if (view.kind === "lines" || view.kind === "stack") {
		let Drawn5 = view.kind === "lines" ? Lines : Stack;
		return jsx(Panel, { title, bare: !0, children: jsx(Drawn5, { ...shared, title, view, spec, data }) });
	}
	return view.kind === "tree" ? jsx(Panel, { title, bare: !0, class: "fill", children: jsx(
		TreeTable,
		{
			title,
			spec,
			data,
			csv,
			json,
			whole: whole4,
			label: view.label,
			show: view.show,
			...table,
			...leads
		}
	) }) : jsx(Panel, { title, bare: !0, class: "fill", children: jsx(
		DataTable,
		{
			title,
			spec,
			data,
			show: view.show,
			csv,
			json,
			whole: whole4,
			find: (name) => navigate(eventsInTrace(name)),
			...table,
			...leads
		}
	) });
}
function Generic(page) {
	let { tool, navigate, selection, api } = page, asked3 = useAnswer(api, given(page));
	return jsxs("div", { class: "page", children: [
		jsx(Options, { options: tool.options, params: selection.params, set: (params) => navigate({ params }) }),
		jsx(Shown, { asked: asked3, children: (answer) => jsxs(Fragment2, { children: [
			answer.findings[0] && jsxs(Panel, { title: "", children: [
				jsx(Headline, { finding: answer.findings[0], answer, navigate }),
				jsx(Findings, { findings: answer.findings.slice(1), answer, navigate })
			] }),
			tool.views.map((view, i) => jsx(Boundary, { what: view.title || view.table || view.kind, children: jsx(OneView, { view, answer, page }) }, i))
		] }) })
	] });
}

// src/shell/capture_api.ts
var route = (name) => address(`capture/${name}`, []);
function getOffer(signal) {
	return get(route("options"), signal);
}
function checkAddresses(addresses2, signal) {
	return post(route("check"), { addresses: addresses2 }, signal);
}
function startCapture(request) {
	return post(route("start"), request);
}
function getCapture(job, signal) {
	return get(address("capture/state", [["job", job]]), signal);
}
function cancelCapture(job) {
	return post(route("cancel"), { job });
}

// src/shell/capture_check.ts
var QUIET_MS = 500, BUSY_MS = 1e3, NOTHING = { hosts: [], problem: "", isAsking: !1 };
function useCheck(text3, again) {
	let [check, set] = useState(NOTHING);
	return useEffect(() => {
		if (!text3.trim()) return set(NOTHING);
		let abort = new AbortController(), timer = 0, ask2 = () => {
			checkAddresses(text3, abort.signal).then(
				({ hosts, problem }) => set({ hosts, problem, isAsking: !1 }),
				(reason) => {
					if (abort.signal.aborted) return;
					let { kind, message } = asApiError(reason);
					kind === "busy" ? timer = window.setTimeout(ask2, BUSY_MS) : set({ ...NOTHING, problem: message });
				}
			);
		};
		return set((old) => ({ ...old, isAsking: !0 })), timer = window.setTimeout(ask2, QUIET_MS), () => {
			abort.abort(), clearTimeout(timer);
		};
	}, [text3, again]), check;
}

// src/shell/capture_form.ts
function recorded(options2) {
	return {
		seconds: String(options2.duration_ms / 1e3),
		host: String(options2.host_tracer_level),
		device: String(options2.device_tracer_level),
		python: String(options2.python_tracer_level),
		budget: String(options2.budget_bytes / 1048576)
	};
}
function formOf(options2, addresses2, root) {
	return {
		addresses: addresses2,
		root,
		...recorded(options2),
		delay: String(options2.delay_ms / 1e3),
		together: options2.together,
		retries: String(options2.retries),
		session: options2.session,
		advanced: Object.entries(options2.advanced).map(([name, value]) => `${name}=${value}`).join(`
`)
	};
}
function withPreset(form, preset) {
	return { ...form, ...recorded(preset.options) };
}
function presetOf(form, presets) {
	return presets.find(
		(preset) => Object.entries(recorded(preset.options)).every(
			([name, value]) => Number(form[name]) === Number(value)
		)
	);
}
function typed(text3) {
	return text3 === "true" || text3 === "false" ? text3 === "true" : /^-?\d{1,15}$/.test(text3) ? Number(text3) : text3;
}
function advancedProblem(text3) {
	let line = text3.split(`
`).find((each) => each.trim() && !/^\s*[\w.-]+\s*=/.test(each));
	return line === void 0 ? "" : `“${line.trim().slice(0, 60)}” is not name=value`;
}
function advancedOf(text3) {
	let lines = text3.split(`
`).filter((line) => line.includes("="));
	return Object.fromEntries(
		lines.map((line) => {
			let at = line.indexOf("=");
			return [line.slice(0, at).trim(), typed(line.slice(at + 1).trim())];
		})
	);
}
function optionsOf6(form) {
	return {
		duration_ms: Math.round(Number(form.seconds) * 1e3),
		delay_ms: Math.round(Number(form.delay) * 1e3),
		together: form.together,
		host_tracer_level: Number(form.host),
		device_tracer_level: Number(form.device),
		python_tracer_level: Number(form.python),
		retries: Number(form.retries),
		budget_bytes: Math.round(Number(form.budget) * 1048576),
		session: form.session.trim(),
		advanced: advancedOf(form.advanced)
	};
}
function withoutAddress(message, address2) {
	let begins = message.startsWith(address2) && /^(?: \([^)]*\))?[:,]? /.exec(message.slice(address2.length)), rest = begins ? message.slice(address2.length + begins[0].length) : message;
	return rest.charAt(0).toUpperCase() + rest.slice(1);
}
function secondsLeft(seconds) {
	return `${seconds < 9.95 ? seconds.toFixed(1) : Math.round(seconds)} s left`;
}
var KEY = "perfplugin.capture";
function recalled(stored, form) {
	let found = null;
	try {
		found = JSON.parse(stored ?? "null");
	} catch {
	}
	if (typeof found != "object" || found === null) return form;
	let known3 = Object.entries(found).filter(
		([name, value]) => name !== "session" && name in form && typeof value == typeof form[name]
	);
	return { ...form, ...Object.fromEntries(known3) };
}
function recall(form) {
	try {
		return recalled(localStorage.getItem(KEY), form);
	} catch {
		return form;
	}
}
function remember({ session: _, ...form }) {
	try {
		localStorage.setItem(KEY, JSON.stringify(form));
	} catch {
	}
}

// src/shell/capture_hosts.tsx
var SIGNS = { good: "✓", bad: "✕", fair: "!", "": "…" }, SPOKEN = { good: "yes", bad: "no", fair: "not now", "": "unknown yet" };
function Line({ address: address2, mark: mark3, message, children }) {
	return jsxs("li", { class: "host-state", title: message, children: [
		jsx("span", { class: `mark ${mark3}`, role: "img", "aria-label": SPOKEN[mark3], children: SIGNS[mark3] }),
		jsx(Name, { text: address2 }),
		jsx("span", { class: "what", children })
	] });
}
function Said3({ message, address: address2 }) {
	let parts2 = withoutAddress(message, address2).split(/(--perfplugin_\S+)/);
	return jsx(Fragment2, { children: parts2.map((part, i) => i % 2 ? jsx("code", { children: part }, i) : part) });
}
function CheckedHosts({ hosts }) {
	return jsx("ul", { class: "host-states", "aria-label": "Profiler servers", children: hosts.map(({ address: address2, kind, message, ok }) => jsx(Line, { address: address2, message, mark: ok ? "good" : kind === "busy" ? "fair" : "bad", children: jsx(Said3, { message, address: address2 }) }, address2)) });
}
var PHASES = {
	checking: "Checking …",
	waiting: "Waiting for the start",
	recording: "Recording",
	receiving: "Sending the profile",
	writing: "Profile received",
	done: "Profile received"
};
function isOutcome(host2) {
	return "file" in host2;
}
function Outcome({ host: host2 }) {
	if (host2.kind !== "ok") return jsx(Said3, { ...host2 });
	let attempts = host2.attempts > 1 ? `, attempt ${host2.attempts}` : "";
	return jsxs(Fragment2, { children: [
		jsx("span", { title: host2.file, children: formatBytes(host2.size_bytes) }),
		" in ",
		formatNumber(host2.seconds, "s"),
		attempts,
		host2.message && `. ${withoutAddress(host2.message, host2.address)}`
	] });
}
function Going({ host: host2 }) {
	let said4 = withoutAddress(host2.message, host2.address), bytes2 = host2.received_bytes ? `, ${formatBytes(host2.received_bytes)}` : "", time2 = host2.kind === "recording" && host2.left_s ? `, ${secondsLeft(host2.left_s)}` : "", words4 = PHASES[host2.kind] ? `${PHASES[host2.kind]}${time2}${bytes2}` : host2.kind === "ok" ? "Profile received" : "";
	return jsx(Fragment2, { children: [words4, said4].filter(Boolean).join(": ") || host2.kind });
}
var NOT_BAD = ["cancelled", "same"];
function markOf2({ kind }) {
	return PHASES[kind] ? "" : kind === "ok" ? "good" : NOT_BAD.includes(kind) ? "fair" : "bad";
}
function CapturedHosts({ hosts }) {
	return jsx("ul", { class: "host-states", "aria-label": "Profiler servers", children: hosts.map((host2) => jsx(Line, { address: host2.address, message: host2.message, mark: markOf2(host2), children: isOutcome(host2) ? jsx(Outcome, { host: host2 }) : jsx(Going, { host: host2 }) }, host2.address)) });
}

// src/shell/capture_serve.tsx
var LINES2 = [
	["TensorFlow, Keras", "tf.profiler.experimental.server.start(6009)"],
	["JAX", "jax.profiler.start_server(6009)"]
];
function HowToServe() {
	return jsx("ul", { class: "serve", children: LINES2.map(([framework, code]) => jsxs("li", { children: [
		jsx("span", { class: "soft", children: framework }),
		jsx("code", { children: code }),
		jsx(CopyButton, { text: () => code, label: "Copy", title: `Copy the line for ${framework}` })
	] }, framework)) });
}

// src/shell/capture_fields.tsx
var FOCUSED = { autofocus: !0, ref: (element) => element?.focus() };
function Field({ label: label2, help, unit, children }) {
	return jsxs("label", { class: "field", title: help, children: [
		jsx("span", { children: label2 }),
		jsxs("span", { class: "with-unit", children: [
			children,
			unit && jsx("span", { class: "soft", children: unit })
		] })
	] });
}
function NumberField({ offer, form, change, name, range, one = 1, step = 1 }) {
	let [low, high] = offer.ranges[range] ?? [0, 1 / 0];
	return jsx(
		"input",
		{
			type: "number",
			required: !0,
			min: low / one,
			max: Number.isFinite(high) ? Math.floor(high / one) : void 0,
			step,
			value: form[name],
			onInput: (event) => change({ [name]: event.currentTarget.value })
		}
	);
}
function LevelField({ form, change, name, levels }) {
	return jsx("select", { value: form[name], onChange: (event) => change({ [name]: event.currentTarget.value }), children: levels.map((words4, level2) => jsx("option", { value: String(level2), children: words4 }, words4)) });
}
var MOST_LINES = 6;
function submitOnEnter(event) {
	event.key !== "Enter" || event.shiftKey || event.isComposing || (event.preventDefault(), event.currentTarget.form?.requestSubmit());
}
function Addresses({ form, change, check }) {
	let lines = Math.min(MOST_LINES, form.addresses.split(`
`).length);
	return jsxs("div", { class: "addresses", children: [
		jsxs("label", { class: "field", children: [
			jsx("span", { children: "Profiler servers" }),
			jsx(
				"textarea",
				{
					required: !0,
					...FOCUSED,
					rows: lines,
					spellcheck: !1,
					autocomplete: "off",
					autocapitalize: "off",
					placeholder: "localhost:6009, other:6009",
					"aria-describedby": "capture-check",
					"aria-invalid": check.problem !== "",
					value: form.addresses,
					onInput: (event) => change({ addresses: event.currentTarget.value }),
					onKeyDown: submitOnEnter
				}
			)
		] }),
		jsxs("div", { id: "capture-check", class: check.isAsking ? "check dimmed" : "check", "aria-live": "polite", children: [
			check.problem && jsx("p", { class: "problem", children: check.problem }),
			check.isAsking && !check.hosts.length && jsx("p", { class: "soft late", children: "Checking the profiler servers…" }),
			check.hosts.length > 0 && jsx(CheckedHosts, { hosts: check.hosts })
		] }),
		jsxs("details", { class: "how", children: [
			jsx("summary", { children: "How to start a profiler server" }),
			jsx("p", { children: "Add one line to your program before its work starts, with a port of your choice:" }),
			jsx(HowToServe, {}),
			jsx("p", { class: "soft", children: "The address is then the machine’s name and that port. A server takes one capture at a time." })
		] })
	] });
}
function Presets({ offer, form, change }) {
	let chosen2 = presetOf(form, offer.presets), pick = (name) => {
		let preset = offer.presets.find((each) => each.name === name);
		preset && change(withPreset(form, preset));
	};
	return jsxs("div", { class: "presets", children: [
		jsx(
			Switch,
			{
				label: "What to record",
				values: offer.presets.map(({ name, title, help }) => [name, title, help]),
				value: chosen2?.name ?? "",
				choose: pick
			}
		),
		jsx("p", { class: "soft", children: chosen2?.help ?? "Custom settings." })
	] });
}
var HOST_LEVELS = ["off", "steps and markers", "ops", "all ops"];
function Levels(editing) {
	return jsxs("div", { class: "fields", children: [
		jsx(Field, { label: "Duration", help: "How long to record. Ten steps are usually enough.", unit: "s", children: jsx(NumberField, { ...editing, name: "seconds", range: "duration_ms", one: 1e3, step: "any" }) }),
		jsx(Field, { label: "Host", help: "Detail of the CPU events.", children: jsx(LevelField, { ...editing, name: "host", levels: HOST_LEVELS }) }),
		jsx(Field, { label: "Device", help: "Kernels, copies and programs on GPUs and TPUs.", children: jsx(LevelField, { ...editing, name: "device", levels: ["nothing", "all"] }) }),
		jsx(
			Field,
			{
				label: "Python",
				help: "Records every Python call: slows the program, and the profile is about ten times larger.",
				children: jsx(LevelField, { ...editing, name: "python", levels: ["off", "every call"] })
			}
		),
		jsx(Field, { label: "Retries", help: "Attempts after a server was busy or returned an empty profile.", children: jsx(NumberField, { ...editing, name: "retries", range: "retries" }) }),
		jsx(Field, { label: "Session", help: "Name of the new run; default: the current time.", children: jsx(
			"input",
			{
				type: "text",
				maxLength: 128,
				spellcheck: !1,
				autocomplete: "off",
				placeholder: "current time",
				value: editing.form.session,
				onInput: (event) => editing.change({ session: event.currentTarget.value })
			}
		) })
	] });
}
function Place({ offer, form, change }) {
	let [only] = offer.roots;
	return offer.roots.length < 2 ? jsxs("p", { class: "soft", children: [
		"Write to ",
		jsx("code", { children: only?.path })
	] }) : jsxs("div", { class: "place", children: [
		jsxs("label", { class: "field", children: [
			jsx("span", { children: "Write to" }),
			jsx("select", { value: form.root, onChange: (event) => change({ root: event.currentTarget.value }), children: offer.roots.map(({ name, path, why }) => jsxs("option", { value: name, disabled: why !== "", title: why, children: [
				name,
				" – ",
				path
			] }, name)) })
		] }),
		offer.roots.filter(({ why }) => why).map(({ name, why }) => jsxs("p", { class: "soft", children: [
			"Not ",
			name,
			": ",
			why,
			"."
		] }, name))
	] });
}
function Advanced(editing) {
	let { form, change } = editing, details = useRef(null);
	return jsxs("details", { ref: details, onInvalidCapture: () => details.current?.setAttribute("open", ""), children: [
		jsx("summary", { children: "More" }),
		jsxs("div", { class: "fields", children: [
			jsx(Field, { label: "Delay", help: "How long to wait before recording.", unit: "s", children: jsx(NumberField, { ...editing, name: "delay", range: "delay_ms", one: 1e3, step: "any" }) }),
			jsx(
				Field,
				{
					label: "Largest result",
					help: "Larger profiles are refused, which protects the memory of TensorBoard.",
					unit: "MiB",
					children: jsx(NumberField, { ...editing, name: "budget", range: "budget_bytes", one: 2 ** 20 })
				}
			),
			jsxs(
				"label",
				{
					class: "together",
					title: "All servers start at the same time of their clocks, at least one second from now.",
					children: [
						jsx(
							"input",
							{
								type: "checkbox",
								checked: form.together,
								onChange: (event) => change({ together: event.currentTarget.checked })
							}
						),
						"start all servers together"
					]
				}
			)
		] }),
		jsxs("label", { class: "field", children: [
			jsx("span", { children: "Options of the device’s profiler, name=value, a line each" }),
			jsx(
				"textarea",
				{
					rows: 2,
					spellcheck: !1,
					placeholder: "gpu_max_activity_api_events=4194304",
					value: form.advanced,
					ref: (field) => field?.setCustomValidity(advancedProblem(form.advanced)),
					onInput: (event) => change({ advanced: event.currentTarget.value })
				}
			)
		] })
	] });
}

// src/shell/capture_dialog.tsx
function useOffer() {
	let [offer, setOffer] = useState(null), [error, setError] = useState(null);
	return useEffect(() => {
		let abort = new AbortController();
		return getOffer(abort.signal).then(setOffer, (reason) => {
			abort.signal.aborted || setError(asApiError(reason));
		}), () => abort.abort();
	}, []), [offer, error];
}
function firstForm(offer) {
	let writable = offer.roots.filter(({ why }) => !why).map(({ name }) => name), form = recall(formOf(offer.defaults, "", writable[0] ?? ""));
	return writable.includes(form.root) ? form : { ...form, root: writable[0] ?? "" };
}
function Problem({ title, children }) {
	return jsxs("div", { class: "failure", role: "alert", children: [
		jsx("strong", { children: title }),
		jsx("p", { children })
	] });
}
function FormView({ offer, capture, close }) {
	let [form, set] = useState(() => firstForm(offer)), [error, setError] = useState(null), [isStarting, setStarting] = useState(!1), [looked, look] = useState(0), check = useCheck(form.addresses, looked), editing = { offer, form, change: (part) => set((old) => ({ ...old, ...part })) }, submit = async (event) => {
		if (event.preventDefault(), !isStarting) {
			setStarting(!0), setError(null), remember(form);
			try {
				await capture.start({ addresses: form.addresses, options: optionsOf6(form), root: form.root });
			} catch (reason) {
				setError(asApiError(reason)), setStarting(!1);
			}
		}
	};
	return jsxs("form", { onSubmit: (event) => {
		submit(event);
	}, children: [
		jsx(Addresses, { ...editing, check }),
		jsx(Presets, { ...editing }),
		jsx(Levels, { ...editing }),
		jsx(Place, { ...editing }),
		jsx(Advanced, { ...editing }),
		error && jsx(Problem, { title: "Not started", children: error.message }),
		jsxs("div", { class: "buttons", children: [
			jsx("button", { type: "button", disabled: check.isAsking || !form.addresses.trim(), onClick: () => look(looked + 1), children: "Check again" }),
			jsx("span", { class: "grow" }),
			jsx("button", { type: "button", onClick: close, children: "Close" }),
			jsx("button", { type: "submit", class: "primary", disabled: isStarting, children: isStarting ? "Starting…" : "Capture" })
		] })
	] });
}
var PHASES2 = {
	checking: "Checking the profiler servers",
	waiting: "Waiting for the start",
	recording: "Recording",
	receiving: "Receiving the profiles",
	writing: "Writing to the logdir",
	done: "Writing to the logdir"
};
function left(state) {
	let seconds = state.total_s - state.elapsed_s;
	return seconds > 0 ? `about ${secondsLeft(seconds)}` : "";
}
function GoingView({ state, capture, close }) {
	let [isCalledOff, setCalledOff] = useState(!1), callOff = () => {
		setCalledOff(!0), capture.cancel();
	}, phase = isCalledOff ? "Cancelling" : PHASES2[state?.phase ?? "checking"] ?? state?.phase;
	return jsxs(Fragment2, { children: [
		jsxs("div", { class: "progress", children: [
			jsxs("p", { children: [
				jsxs("span", { role: "status", children: [
					phase,
					"…"
				] }),
				jsx("span", { class: "soft number", children: state && !isCalledOff ? left(state) : "" })
			] }),
			jsx(
				"progress",
				{
					"aria-label": "Capture",
					max: 1,
					value: state && left(state) ? state.elapsed_s / state.total_s : void 0
				}
			)
		] }),
		state && jsx(CapturedHosts, { hosts: state.hosts }),
		capture.error && jsx("p", { class: "problem", children: capture.error.message }),
		jsxs("div", { class: "buttons", children: [
			jsx("span", { class: "grow" }),
			jsx("button", { type: "button", title: "The capture continues; its button shows the progress", ...FOCUSED, onClick: close, children: "Hide" }),
			jsx("button", { type: "button", disabled: isCalledOff, onClick: callOff, children: "Cancel the capture" })
		] })
	] });
}
function resultInWords({ hosts }) {
	let asked3 = hosts.filter(({ kind }) => kind !== "same").length, ok = hosts.filter(({ kind }) => kind === "ok").length;
	return ok === asked3 ? counted(ok, "profile") : `${ok} of ${counted(asked3, "profile")}`;
}
function Ended({ state }) {
	return state.phase === "cancelled" ? jsxs("div", { class: "outcome", role: "status", children: [
		jsx("strong", { children: "Cancelled" }),
		jsx("p", { children: "Nothing was written." })
	] }) : state.error ? jsx(Problem, { title: "Nothing was captured", children: state.hosts.length ? "Reason for each server:" : state.error.message }) : jsxs("div", { class: "outcome", role: "status", children: [
		jsxs("strong", { children: [
			resultInWords(state),
			" captured"
		] }),
		jsx("p", { children: state.run ? jsxs(Fragment2, { children: [
			"Run ",
			jsx("code", { children: state.run }),
			", written to ",
			jsx("code", { children: state.path })
		] }) : jsxs(Fragment2, { children: [
			"Written to ",
			jsx("code", { children: state.path }),
			"; it appears in the list of runs shortly."
		] }) })
	] });
}
function EndedView({ state, capture, close, show: show2 }) {
	let isThere = state.phase === "done", look = () => {
		state.run && show2(state.run), close();
	}, [again, end] = isThere ? [{}, { ...FOCUSED, class: "primary" }] : [{ ...FOCUSED, class: "primary" }, {}];
	return jsxs(Fragment2, { children: [
		jsx(Ended, { state }),
		jsx(CapturedHosts, { hosts: state.hosts }),
		jsxs("div", { class: "buttons", children: [
			jsx("button", { type: "button", ...again, onClick: capture.clear, children: isThere ? "Capture another" : "Change and try again" }),
			jsx("span", { class: "grow" }),
			jsx("button", { type: "button", ...end, onClick: look, children: state.run ? "Open" : "Close" })
		] })
	] });
}
function LostView({ error, capture }) {
	return jsxs(Fragment2, { children: [
		jsx(Problem, { title: "The state of the capture is unknown", children: error.message }),
		jsxs("div", { class: "buttons", children: [
			jsx("span", { class: "grow" }),
			jsx("button", { type: "button", ...FOCUSED, onClick: capture.clear, children: "Back" })
		] })
	] });
}
function NotHere({ why, close }) {
	return jsxs(Fragment2, { children: [
		jsx(Problem, { title: "Captures are not available here", children: why }),
		jsxs("div", { class: "buttons", children: [
			jsx("span", { class: "grow" }),
			jsx("button", { type: "button", class: "primary", ...FOCUSED, onClick: close, children: "Close" })
		] })
	] });
}
function View({ capture, close, show: show2 }) {
	let [offer, failure] = useOffer(), { job, state, error, follow: follow4 } = capture;
	return useEffect(() => {
		offer?.job && !job && follow4(offer.job);
	}, [offer]), job && error && error.kind !== "unreachable" ? jsx(LostView, { error, capture }) : state?.done ? jsx(EndedView, { state, capture, close, show: show2 }) : job ? jsx(GoingView, { state, capture, close }) : failure ? jsx(NotHere, { why: failure.message, close }) : offer ? offer.enabled ? jsx(FormView, { offer, capture, close }) : jsx(NotHere, { why: offer.why, close }) : jsx("p", { class: "soft late", children: "Loading the capture options…" });
}
function keepFocus() {
	document.activeElement === document.body && document.getElementById("capture-button")?.focus();
}
function CaptureDialog({ capture, show: show2 }) {
	let dialog = useRef(null);
	return useEffect(() => (dialog.current?.showModal(), () => {
		setTimeout(keepFocus);
	}), []), jsxs(
		"dialog",
		{
			ref: dialog,
			class: "capture",
			"aria-labelledby": "capture-title",
			onClose: capture.close,
			onKeyDown: (event) => event.stopPropagation(),
			children: [
				jsx("h1", { id: "capture-title", children: "Capture a profile" }),
				jsx(View, { capture, close: () => dialog.current?.close(), show: show2 })
			]
		}
	);
}

// src/shell/capture_button.tsx
function words3(state) {
	return state?.done ? state.phase === "done" ? ["Done ▸", "The capture has finished: show the result"] : state.phase === "cancelled" ? ["Cancelled", "The capture was cancelled"] : ["Failed ▸", "The capture failed: show why"] : [`${Math.ceil(state?.elapsed_s ?? 0)} s…`, "A capture is running"];
}
function CaptureButton({ capture }) {
	let { job, state, open } = capture, [seen, means] = words3(state);
	return jsxs(
		"button",
		{
			id: "capture-button",
			type: "button",
			class: job ? "capture-button active" : "capture-button",
			"aria-haspopup": "dialog",
			"aria-label": job ? means : "Capture profile",
			title: job ? means : "Capture profile: record what a running program does (Shift C)",
			onClick: open,
			children: [
				jsx("i", { children: "●" }),
				" ",
				job ? seen : "Capture",
				!job && jsx("span", { class: "profile", children: " profile" })
			]
		}
	);
}

// src/shell/notes.tsx
function Notes({ notes }) {
	return notes.length ? jsx("ul", { class: "notes soft", "aria-label": "Not searched", children: notes.map((note) => jsx("li", { children: note }, note)) }) : null;
}

// src/shell/empty.tsx
function Case({ diagnosis }) {
	let { path, found, cause, fix, ok } = diagnosis;
	return jsx("li", { class: ok ? "ok" : "bad", children: jsxs("dl", { children: [
		jsx("dt", { children: "Path" }),
		jsx("dd", { children: jsx("code", { children: path }) }),
		jsx("dt", { children: "Contents" }),
		jsx("dd", { children: found }),
		cause && jsxs(Fragment2, { children: [
			jsx("dt", { children: ok ? "Result" : "Cause" }),
			jsx("dd", { children: cause })
		] }),
		fix && jsxs(Fragment2, { children: [
			jsx("dt", { children: "Fix" }),
			jsxs("dd", { class: "fix", children: [
				jsx("code", { children: fix }),
				jsx(CopyButton, { text: () => fix, label: "Copy" })
			] })
		] })
	] }) });
}
function Roots({ roots }) {
	return roots.map(({ path }, i) => jsxs(Fragment, { children: [
		i > 0 && ", ",
		jsx("code", { children: path })
	] }, path));
}
function unexplained(runs) {
	let told = (runs.diagnosis ?? []).map(({ path }) => `${path}: `);
	return runs.notes.filter((note) => !told.some((path) => note.startsWith(path)));
}
function CaptureNow({ capture }) {
	return jsxs("section", { class: "capture-now", children: [
		jsx("h2", { children: "Or capture a running program" }),
		jsx("p", { children: "Start a profiler server: add one line to the program before its work starts, then press the button:" }),
		jsx(HowToServe, {}),
		jsx(CaptureButton, { capture })
	] });
}
function Empty({ runs, capture }) {
	return runs.scanning ? jsxs("p", { class: "empty", role: "status", children: [
		"Searching for captures: ",
		counted(runs.folders, "folder"),
		" so far…"
	] }) : jsxs("section", { class: "empty", children: [
		jsx("h1", { children: "No profile to show yet" }),
		jsx("p", { class: "soft", children: "This page keeps searching: new captures appear within seconds, without a restart." }),
		jsx("ul", { class: "cases", children: (runs.diagnosis ?? []).map((diagnosis) => jsx(Case, { diagnosis }, diagnosis.case + diagnosis.path)) }),
		!runs.diagnosis?.length && jsxs("p", { children: [
			"Searched in ",
			jsx(Roots, { roots: runs.roots })
		] }),
		jsx(Notes, { notes: unexplained(runs) }),
		jsx(CaptureNow, { capture })
	] });
}

// src/shell/help.tsx
var KEYS9 = [
	["?", "this help"],
	["Shift R", "choose a run"],
	["Shift H", "choose a host"],
	["Shift C", "capture a profile"],
	["1 … 9", "open a tool"],
	["/", "filter or search on this page", "main input[type=search]"],
	["↑ ↓ PgUp PgDn Home End", "move in a table; with Shift select rows", ".table-scroll[tabindex]"],
	["Enter, or double click", "in a table: the action of the selected row", ".data-table"],
	["Ctrl C", "copy the selected rows, exact values", ".data-table"],
	["Esc", "close"]
];
function Keys({ keys: keys8 }) {
	return jsx("table", { class: "keys", children: jsx("tbody", { children: keys8.map(([key, what]) => jsxs("tr", { children: [
		jsx("th", { scope: "row", children: jsx("kbd", { children: key }) }),
		jsx("td", { children: what })
	] }, key)) }) });
}
function here(keys8) {
	return keys8.filter(([, , where]) => !where || document.querySelector(where));
}
function Help({ tool, keys: keys8, close }) {
	let [own, all] = useMemo(() => [here(keys8), here(KEYS9)], []), dialog = useRef(null);
	return useEffect(() => {
		dialog.current?.showModal(), dialog.current?.scrollTo(0, 0);
	}, []), jsx(
		"dialog",
		{
			ref: dialog,
			class: "help",
			"aria-label": "Help",
			onClose: close,
			onClick: (event) => event.target === dialog.current && close(),
			children: jsxs("div", { children: [
				tool && jsxs(Fragment2, { children: [
					jsx("h2", { children: tool.title }),
					jsx("p", { children: tool.question }),
					jsx("p", { class: "soft", children: tool.help })
				] }),
				tool && jsx(Meanings, { tool }),
				own.length > 0 && jsxs(Fragment2, { children: [
					jsx("h2", { children: "Keys on this page" }),
					jsx(Keys, { keys: own })
				] }),
				jsx("h2", { children: "Keys everywhere" }),
				jsx(Keys, { keys: all }),
				jsx("p", { class: "soft", children: "Colours on all pages:" }),
				jsx(Legend5, {}),
				jsx("form", { method: "dialog", children: jsx("button", { type: "submit", children: "Close" }) })
			] })
		}
	);
}
function Meanings({ tool }) {
	let drawn = tool.views.every((view) => view.kind === "page"), groups = [{ title: "The numbers at the top", columns: tool.summary }, ...tool.tables];
	return drawn ? null : jsxs(Fragment2, { children: [
		jsx("h2", { children: "What the numbers mean" }),
		groups.map(({ title, columns }) => jsxs("details", { children: [
			jsx("summary", { children: title }),
			jsx("dl", { children: columns.map((column) => jsxs("div", { children: [
				jsx("dt", { title: column.name, children: label(column) }),
				jsx("dd", { children: column.help })
			] }, column.name)) })
		] }, title))
	] });
}
var COLOURS = [
	["--input", "input wait"],
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
	["--unknown", "unknown"],
	["--memory-stack", "memory: stack"],
	["--memory-heap", "heap"],
	["--memory-free", "free"]
];
function Legend5() {
	return jsx("p", { class: "legend", children: COLOURS.map(([variable, what]) => jsxs("span", { children: [
		jsx("i", { style: { background: `var(${variable})` } }),
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
		let onKeyDown2 = (event) => {
			if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || isTyping(event.target)) return;
			let tool = /^[1-9]$/.test(event.key) ? tools[Number(event.key) - 1] : void 0;
			if (event.key === "?") help();
			else if (event.key === "R") press("run-picker");
			else if (event.key === "H") press("host-picker");
			else if (event.key === "C") press("capture-button");
			else if (tool) navigate({ tool: tool.name });
			else if (event.key !== "/" || !search()) return;
			event.preventDefault();
		};
		return document.addEventListener("keydown", onKeyDown2), () => document.removeEventListener("keydown", onKeyDown2);
	}, [tools, navigate, help]);
}

// src/shell/picker.tsx
var ROW_PX6 = 24, MOST_ROWS3 = 18, COMBOBOX = { role: "combobox", "aria-expanded": "true", "aria-controls": "picker-list" };
function next(choices, from, step) {
	for (let i = from + step; i >= 0 && i < choices.length; i += step) if (choices[i]?.value != null) return i;
	return from;
}
function Line2({ choice, id, top, isSelected, isAt: isAt2, pick }) {
	let style = { transform: `translateY(${top}px)` };
	return choice.value === null ? jsx("div", { class: "picker-heading", role: "presentation", style, children: choice.content }) : jsx("div", { id, role: "option", "aria-selected": isSelected, style, class: isAt2 ? "at" : "", onClick: pick, children: choice.content });
}
function useAt(choices, filter, selected2) {
	let [moved4, setMoved] = useState(null), first = Math.max(next(choices, -1, 1), filter ? -1 : choices.findIndex((c) => c.value === selected2)), at = moved4?.filter === filter ? moved4.at : first;
	return { at, move: (step) => {
		let to = at;
		for (let i = 0; i < Math.abs(step); i++) to = next(choices, to, Math.sign(step));
		setMoved({ filter, at: to });
	} };
}
var STEPS4 = /* @__PURE__ */ new Map([
	["ArrowDown", 1],
	["ArrowUp", -1],
	["PageDown", MOST_ROWS3 - 1],
	["PageUp", 1 - MOST_ROWS3]
]);
function Picker({ label: label2, hint, selected: selected2, choices: choose, pick }) {
	let [filter, setFilter] = useState(""), choices = useMemo(() => choose(filter), [choose, filter]), { at, move } = useAt(choices, filter, selected2), scroller = useRef(null), input = useRef(null), rows = useVirtualRows(scroller, choices.length, ROW_PX6);
	useLayoutEffect(() => input.current?.focus(), []), useLayoutEffect(() => {
		at >= 0 && rows.scrollToIndex(at);
	}, [at]);
	let onKeyDown2 = (event) => {
		let step = STEPS4.get(event.key), value = choices[at]?.value;
		step === void 0 && event.key !== "Enter" || (event.preventDefault(), step !== void 0 ? move(step) : value != null && pick(value));
	};
	return jsxs("div", { class: "picker", children: [
		jsx(
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
				onKeyDown: onKeyDown2
			}
		),
		jsx("div", { class: "picker-list", ref: scroller, style: { height: `${Math.min(choices.length, MOST_ROWS3) * ROW_PX6}px` }, children: jsx("div", { id: "picker-list", role: "listbox", "aria-label": label2, style: { height: `${rows.getTotalSize()}px` }, children: rows.getVirtualItems().map(({ index, start }) => {
			let choice = choices[index], state = { isSelected: choice.value === selected2, isAt: index === at }, choose2 = () => choice.value !== null && pick(choice.value);
			return jsx(Line2, { choice, id: `pick-${index}`, top: start, pick: choose2, ...state }, index);
		}) }) }),
		choices.length === 0 && jsx("p", { class: "soft", children: "Nothing matches." })
	] });
}

// src/shell/run_groups.ts
function split(name) {
	let at = name.lastIndexOf("/");
	return at < 0 ? ["", name] : [name.slice(0, at), name.slice(at + 1)];
}
function groupRuns(runs, filter) {
	let words4 = filter.toLowerCase().split(/\s+/).filter(Boolean), groups = /* @__PURE__ */ new Map();
	for (let run of runs) {
		let haystack = `${run.name} ${run.hosts.map((h2) => h2.name).join(" ")}`.toLowerCase();
		if (!words4.every((word) => haystack.includes(word))) continue;
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
	let hosts = run.hosts.length === 1 ? run.hosts[0].name : counted(run.hosts.length, "host"), content = jsxs(
		"span",
		{
			class: "run-line",
			title: `${run.name}
${formatTime(run.captured_ms)}
${run.hosts.map((h2) => h2.name).join(", ")}`,
			children: [
				jsx(Name, { text: short, tail: SESSION }),
				jsx("span", { class: "soft", children: formatAge(run.captured_ms, Date.now()) }),
				jsx("span", { class: "soft run-hosts", children: hosts }),
				jsx("span", { class: "soft number", children: formatBytes(run.size_bytes) })
			]
		}
	);
	return { value: run.name, content };
}
function RunPicker({ runs, selection, navigate }) {
	let choices = useCallback(
		(filter) => groupRuns(runs.runs, filter).map(
			(line) => "group" in line ? { value: null, content: jsx(Name, { text: `${line.group}/` }) } : runChoice(line.run, line.short)
		),
		[runs.runs]
	), about = `${counted(runs.runs.length, "run")}${runs.scanning ? `, still searching: ${counted(runs.folders, "folder")} so far` : ""}`;
	return jsx(
		Popover,
		{
			id: "run-picker",
			label: "Run",
			class: "run-picker",
			style: { "--letters": selection.run.length },
			button: jsxs(Fragment2, { children: [
				jsx("span", { class: "soft", children: "run" }),
				" ",
				jsx(Name, { text: selection.run, tail: SESSION }),
				" ",
				jsx("i", { children: "▾" })
			] }),
			children: (close) => jsxs(Fragment2, { children: [
				jsx(
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
				jsx(Notes, { notes: runs.notes })
			] })
		}
	);
}
function NewRun({ runs, selection, navigate }) {
	let since = useRef(1 / 0), newest = runs.runs[0];
	return since.current === 1 / 0 && !runs.scanning && (since.current = newest?.modified_ms ?? 0), !newest || newest.modified_ms <= since.current || newest.name === selection.run ? null : jsx(
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
	let all = run.hosts.length > 1 ? `all ${run.hosts.length}` : run.hosts[0]?.name ?? "none", shown3 = selection.hosts.length ? selection.hosts.join(", ") : all, choices = useCallback(
		(filter) => {
			let lines = run.hosts.filter((host2) => host2.name.toLowerCase().includes(filter.toLowerCase())).map((host2) => ({
				value: host2.name,
				content: jsxs("span", { class: "host-line", children: [
					jsx(Name, { text: host2.name }),
					jsx("span", { class: "soft", children: host2.format }),
					jsx("span", { class: "soft number", children: formatBytes(host2.size_bytes) })
				] })
			}));
			return filter || run.hosts.length < 2 ? lines : [{ value: "", content: `all ${run.hosts.length} hosts` }, ...lines];
		},
		[run]
	);
	return jsx(
		Popover,
		{
			id: "host-picker",
			label: "Host",
			class: "host-picker",
			button: jsxs(Fragment2, { children: [
				jsx("span", { class: "soft", children: "host" }),
				" ",
				jsx(Name, { text: shown3 }),
				" ",
				jsx("i", { children: "▾" })
			] }),
			children: (close) => jsx(
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
	let { events_in_file: all, events_kept: kept2, warnings } = quality;
	return all === 0 || kept2 < all / 2 ? "bad" : kept2 < all || warnings.length ? "fair" : "good";
}
var WORDS4 = {
	good: "complete",
	fair: "some events are missing",
	bad: "most events are missing"
};
function isSlow(quality) {
	return quality.decoder.includes("protobuf");
}
function Details3({ quality }) {
	let lost = Object.entries(quality.dropped).filter(([, count]) => count > 0), share = quality.events_in_file ? quality.events_kept / quality.events_in_file : 0;
	return jsxs("div", { class: "quality-details", children: [
		jsxs("h2", { children: [
			"Capture quality: ",
			WORDS4[level(quality)]
		] }),
		jsxs("p", { children: [
			grouped(quality.events_kept),
			" of ",
			counted(quality.events_in_file, "event"),
			" in the file are shown (",
			percent(share),
			")."
		] }),
		lost.length > 0 && jsx("ul", { children: lost.map(([reason, count]) => jsxs("li", { children: [
			grouped(count),
			" left out: ",
			reason
		] }, reason)) }),
		quality.warnings.length > 0 && jsx("ul", { children: quality.warnings.map((warning) => jsx("li", { children: warning }, warning)) }),
		isSlow(quality) && jsxs("p", { children: [
			"Read by the slow decoder because the compiled one is not installed. The numbers are the same, but large captures take several times as long. To build it: install a C compiler, then",
			" ",
			jsx("code", { children: "pip install --force-reinstall --no-deps tensorboard-perfplugin" })
		] })
	] });
}
function QualityButton({ quality }) {
	let notes = [
		`${grouped(quality.events_kept)} of ${grouped(quality.events_in_file)} events`,
		...quality.warnings.length ? [counted(quality.warnings.length, "warning")] : [],
		...isSlow(quality) ? ["slow decoder"] : []
	], button = jsxs(Fragment2, { children: [
		jsx("i", { class: `dot ${level(quality)}`, "aria-hidden": "true", children: "●" }),
		" ",
		jsx("span", { class: "quality-text", children: notes.join(" · ") })
	] });
	return jsx(Popover, { label: `Capture quality: ${WORDS4[level(quality)]}`, button, class: "right", children: () => jsx(Details3, { quality }) });
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
	}, here2 = selection.tool === tool.name;
	return jsx(
		"a",
		{
			href: linkTo(changed(selection, { tool: tool.name, params: {} })),
			target: "_top",
			class: reason ? "tab missing" : "tab",
			"aria-current": here2 ? "page" : void 0,
			title: reason ? `Nothing to show: ${reason}` : tool.question,
			onClick: open,
			children: tool.title
		}
	);
}
function TopBar(props) {
	let { runs, run, tools, missing, quality, selection, navigate, help, capture } = props;
	return jsxs("header", { class: "top-bar", children: [
		jsx(RunPicker, { runs, selection, navigate }),
		jsx(NewRun, { runs, selection, navigate }),
		run && jsx(HostPicker, { run, selection, navigate }),
		jsx(CaptureButton, { capture }),
		jsx("nav", { "aria-label": "Tools", children: tools.map((tool) => jsx(Tab, { tool, reason: missing[tool.name], selection, navigate }, tool.name)) }),
		jsxs("div", { class: "top-right", children: [
			quality && jsx(QualityButton, { quality }),
			jsx(CopyButton, { text: () => linkTo(selection), label: "Copy link", title: "Copy a link to exactly this page" }),
			jsx("button", { type: "button", title: "Keys and help (?)", "aria-label": "Help", onClick: help, children: "?" })
		] })
	] });
}

// src/shell/use_capture.ts
var PERIOD_MS = 250, RETRY_MS3 = 2e3;
function useProgress(job, ended) {
	let [state, setState] = useState(null), [error, setError] = useState(null), latest = useRef(ended);
	return latest.current = ended, useEffect(() => {
		if (setState(null), setError(null), !job) return;
		let abort = new AbortController(), timer = 0, ask2 = async () => {
			let wait = PERIOD_MS;
			try {
				let next2 = await getCapture(job, abort.signal);
				if (setState(next2), setError(null), next2.done) return latest.current(next2);
			} catch (reason) {
				if (abort.signal.aborted) return;
				let failure = asApiError(reason);
				if (setError(failure), failure.kind !== "unreachable") return;
				wait = RETRY_MS3;
			}
			timer = window.setTimeout(() => {
				ask2();
			}, wait);
		};
		return ask2(), () => {
			abort.abort(), clearTimeout(timer);
		};
	}, [job]), [state?.job === job ? state : null, error];
}
function useCapture(came) {
	let [isOpen2, setOpen] = useState(!1), [job, follow4] = useState(""), shown3 = useRef(isOpen2);
	shown3.current = isOpen2;
	let [state, error] = useProgress(job, (last2) => last2.phase === "done" && came(last2.run, shown3.current)), start = useCallback(async (request) => follow4((await startCapture(request)).job), []), clear = useCallback(() => follow4(""), []);
	return { isOpen: isOpen2, open: () => setOpen(!0), close: () => {
		setOpen(!1), (state?.done || error) && clear();
	}, job, state, error, start, follow: follow4, cancel: () => {
		cancelCapture(job).catch(() => {
		});
	}, clear };
}

// src/shell/use_runs.ts
var PERIOD_MS2 = 5e3, SCANNING_MS = 500;
function fresh(old, runs) {
	return old && JSON.stringify(old) === JSON.stringify(runs) ? old : runs;
}
function useRuns() {
	let [polled, set] = useState({ runs: null, error: null }), now = useRef(async () => {
	}), again = useCallback(() => now.current(), []);
	return useEffect(() => {
		let timer = 0, asked3 = null, request = async () => {
			clearTimeout(timer);
			let period = PERIOD_MS2;
			try {
				let runs = await getRuns();
				runs.scanning && (period = SCANNING_MS), set((old) => ({ runs: fresh(old.runs, runs), error: null }));
			} catch (reason) {
				set((old) => ({ ...old, error: asApiError(reason) }));
			}
			asked3 = null, timer = window.setTimeout(tick, period);
		}, ask2 = () => asked3 ??= request();
		now.current = async () => {
			await asked3, await ask2();
		};
		let tick = () => {
			clearTimeout(timer), isShown() ? ask2() : timer = window.setTimeout(tick, PERIOD_MS2);
		};
		return ask2(), onReload(() => {
			ask2();
		}), document.addEventListener("visibilitychange", tick), window.addEventListener("resize", tick), () => {
			clearTimeout(timer), document.removeEventListener("visibilitychange", tick), window.removeEventListener("resize", tick);
		};
	}, []), { ...polled, again };
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
	let [tools, setTools] = useState([]), [missing, setMissing] = useState({ key: "", reasons: {} }), [error, setError] = useState(null), key = JSON.stringify([run, hosts, stamp]), [attempt, setAttempt] = useState(0), again = () => setAttempt((n) => n + 1);
	return useRetry(error, again), useEffect(() => {
		getTools().then(
			(body) => {
				setTools(body.tools), setError(null);
			},
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
	}, [key]), [tools, missing.key === key ? missing.reasons : {}, error && { error, again }];
}
function useApi(selection, stamp) {
	let [seen, setSeen] = useState(null), key = JSON.stringify([selection.run, selection.hosts, stamp]);
	return [useMemo(() => {
		let { url, data, columns } = apiFor(selection);
		return {
			url,
			columns,
			data: async (options2, signal) => {
				let answer = await data(options2, signal);
				return setSeen({ key, quality: answer.quality }), answer;
			}
		};
	}, [key, selection.tool]), seen?.key === key ? seen.quality : null];
}
function PageOf({ reason, ...page }) {
	let { tool } = page, titles = useContext(Titles);
	if (reason !== void 0)
		return jsxs("section", { class: "empty", children: [
			jsxs("h1", { children: [
				tool.title,
				": nothing to show"
			] }),
			jsx("p", { children: jsx(
				WordsWithPages,
				{
					text: `${reason.charAt(0).toUpperCase() + reason.slice(1).replace(/\.+$/, "")}.`,
					titles,
					open: (name) => page.navigate({ tool: name })
				}
			) }),
			jsx("p", { class: "soft", children: tool.help })
		] });
	let Page = PAGES[tool.name]?.default ?? Generic;
	return jsx(Boundary, { what: tool.title, children: jsx(Page, { ...page }, tool.name) });
}
function NoRun({ runs, selection, navigate }) {
	let newest = runs.runs[0];
	return jsxs("section", { class: "empty", children: [
		jsxs("h1", { children: [
			"Run ",
			jsx("code", { children: selection.run }),
			" does not exist (any more)"
		] }),
		jsxs("p", { children: [
			"Searched in ",
			jsx(Roots, { roots: runs.roots }),
			": ",
			counted(runs.runs.length, "other run"),
			" there."
		] }),
		jsx("p", { children: jsxs("button", { type: "button", onClick: () => navigate({ run: newest.name }), children: [
			"Open the newest run, ",
			newest.name
		] }) })
	] });
}
function NoTool({ page, tools }) {
	let { selection, navigate } = page, first = tools[0];
	return jsxs("section", { class: "empty", children: [
		jsxs("h1", { children: [
			"There is no tool ",
			jsx("code", { children: selection.tool })
		] }),
		jsxs("p", { children: [
			"The tools are ",
			tools.map(({ title }) => title).join(", "),
			"."
		] }),
		jsx("p", { children: jsxs("button", { type: "button", onClick: () => navigate({ tool: first.name }), children: [
			"Open ",
			first.title
		] }) })
	] });
}
function Body2(props) {
	let { runs, run, page, tools, tool, failed, capture } = props, isDrawn = run ? !!(failed || tools.length) : !runs.scanning;
	return useEffect(() => {
		isDrawn && tellShown(page.selection);
	}, [isDrawn, page.selection]), run ? failed && !tool ? jsx(Failure, { ...failed }) : tool ? jsx(PageOf, { tool, ...page }) : tools.length ? jsx(NoTool, { page, tools }) : jsx(Late, { text: "Loading the list of tools…" }) : runs.scanning ? jsx(Empty, { runs, capture }) : jsx(NoRun, { runs, selection: page.selection, navigate: page.navigate });
}
function Shell({ polled: { runs, error }, selection, navigate, capture }) {
	let run = runs?.runs.find((r) => r.name === selection.run), stamp = run?.modified_ms ?? 0, [tools, missing, failed] = useTools(selection.run, selection.hosts, stamp), tool = tools.find((t) => t.name === selection.tool || t.aliases.includes(selection.tool)), [api, quality] = useApi({ ...selection, tool: tool?.name ?? selection.tool }, stamp), [helping, setHelping] = useState(!1), help = useCallback(() => setHelping(!0), []);
	useKeys2(tools, navigate, help);
	let titles = useMemo(() => Object.fromEntries(tools.map((t) => [t.name, t.title])), [tools]), page = { reason: tool && missing[tool.name], selection, navigate, api };
	return runs ? runs.runs.length ? jsx(Reading.Provider, { value: reading(run, selection.hosts), children: jsxs("div", { class: "app", children: [
		jsx(
			TopBar,
			{
				runs,
				run,
				tools,
				missing,
				quality,
				selection,
				navigate,
				help,
				capture
			}
		),
		error && jsx("p", { class: "banner", role: "alert", children: error.message }),
		jsx("main", { children: jsx(Titles.Provider, { value: titles, children: jsx(Body2, { runs, run, page, tools, tool, failed, capture }) }) }),
		helping && jsx(Help, { tool, keys: (tool && PAGES[tool.name]?.keys) ?? [], close: () => setHelping(!1) })
	] }) }) : jsx("main", { class: "app", children: jsx(Empty, { runs, capture }) }) : jsx("main", { class: "app", children: error ? jsx(Failure, { error }) : jsx(Late, { text: "Looking for runs…" }) });
}
function App() {
	let polled = useRuns(), [selection, navigate] = useFilledSelection(polled.runs), show2 = (run) => {
		run !== selection.run && navigate({ run });
	}, capture = useCapture((run, isOpen2) => {
		polled.again().then(() => isOpen2 && run && show2(run));
	});
	return jsxs(Fragment2, { children: [
		jsx(Shell, { polled, selection, navigate, capture }),
		capture.isOpen && jsx(CaptureDialog, { capture, show: show2 })
	] });
}

// src/index.tsx
function stylesheet() {
	let link = document.createElement("link");
	return link.rel = "stylesheet", link.href = new URL("style.css", import.meta.url).href, new Promise((resolve) => {
		link.onload = () => resolve(), link.onerror = () => resolve(), document.head.append(link);
	});
}
async function render2() {
	document.title = "Profile", document.documentElement.lang = "en", followTheme(), await stylesheet(), render(jsx(App, {}), document.body);
}
export {
	render2 as render
};
