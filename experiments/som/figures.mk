# figures.mk - targets of the SOM mesh paper's tables and figures

SOM_FIGURES := table2 fig12 fig13 fig14 fig15
.PHONY: som $(addprefix som-,$(SOM_FIGURES))

som: $(addprefix som-,$(SOM_FIGURES)) ## tables and figures of the SOM mesh paper

som-table2: ## SOM Table 2: times and %cost of the maps
som-fig12: ## SOM Fig. 12: %cost against rounds
som-fig13: ## SOM Fig. 13: time against the size of the map
som-fig14: ## SOM Figs. 2, 14: sampling, mesh and surface
som-fig15: ## SOM Fig. 15: regular and adapted mesh in space

$(addprefix som-,$(SOM_FIGURES)): som-%: $(B)/depthbench
	$(Q)B=$(B) PROFILE=$(PROFILE) scripts/figure som $*
